import type { JsonObject, JsonValue } from '../json/value.ts';
import { useUpcaster } from '../log/newest-form.ts';
import { claudeCode } from './claude-code/index.ts';
import { codex } from './codex/index.ts';
import { coordinator } from './coordinator/index.ts';
import { copilot } from './copilot/index.ts';
import type { Dialect, DialectName, EpisodeFolder, FolderSample, LogSample } from './dialect.ts';
import { exarchos } from './exarchos/index.ts';
import { fishbowl } from './fishbowl/index.ts';
import { fieldsFound } from './generic/fields.ts';
import type { OwnFormats } from './generic/format.ts';
import { GENERIC_NAME, genericDialect, ownDialects } from './generic/index.ts';
import { noesis } from './noesis/index.ts';
import { otlp } from './otlp/index.ts';
import { upcastsInUse, useUpcasts } from './upcast.ts';

export type { OwnFormats };
export { GENERIC_NAME };

// A dialect is a folder beside this file and an entry here: everything else goes by this list.

const BUILT_IN: readonly Dialect[] = [
  noesis,
  exarchos,
  fishbowl,
  coordinator,
  claudeCode,
  codex,
  copilot,
  otlp,
];

const known: Dialect[] = [...BUILT_IN];

/** Every dialect, in the order in which they are tried: those of the project, then those that a user described. */
export const DIALECTS: readonly Dialect[] = known;

let fallback = genericDialect();
let inUse: OwnFormats = { named: {} };

/** The formats that are in use, as a worker can be given them. */
export const formatsInUse = (): OwnFormats => inUse;

/** Loads what reads the formats that a user describes: schemas are not needed to run without any. */
export const formatReaders = async () => import('./generic/own-formats.ts');

/** Takes in the formats that a user described, for the run of the program; those of an earlier run are forgotten. */
export function useFormats(formats: OwnFormats = { named: {} }): void {
  known.splice(0, known.length, ...BUILT_IN, ...ownDialects(formats));
  fallback = genericDialect(formats.map);
  inUse = formats;
  useUpcasts(formats.upcasts);
  readNewestForms();
}

/** Lets readers of logs see each event in the newest version that the steps of the configuration lead to. */
function readNewestForms(): void {
  const steps = upcastsInUse();
  const upcasters = known.flatMap(({ name, upcast }) =>
    upcast !== undefined && steps.some(({ dialect }) => dialect === name) ? [upcast] : [],
  );
  const upcaster = (event: JsonObject) =>
    upcasters.reduce((newest, upcast) => upcast(newest, steps) ?? newest, event);
  useUpcaster(upcasters.length === 0 ? undefined : upcaster);
}

/** A dialect whose episodes have folders of their own. */
export type FolderDialect = Dialect & { readonly folder: EpisodeFolder };

const hasFolder = (dialect: Dialect): dialect is FolderDialect => dialect.folder !== undefined;

/** The dialect of a folder that tells nothing of itself, such as one without a log: the first with such folders. */
export function folderDialect(dialects: readonly Dialect[] = DIALECTS): FolderDialect {
  const first = dialects.find(hasFolder);
  if (first === undefined) throw new Error('no dialect has folders of its own');
  return first;
}

/** What reads JSON lines of no known dialect. */
export const genericNow = (): Dialect => fallback;

/** Whether a log is of no dialect that is known. */
export const isGeneric = (dialect: Dialect): boolean => dialect.name === GENERIC_NAME;

/** The dialect of a name. */
export function dialectNamed(
  name: DialectName,
  dialects: readonly Dialect[] = DIALECTS,
): Dialect | undefined {
  return dialects.find((dialect) => dialect.name === name) ?? (name === GENERIC_NAME ? fallback : undefined);
}

/**
 * The dialect a log is of: told from its first records, else from its name. One that fits none is read as JSON lines
 * of no known dialect.
 */
export function detectDialect(sample: LogSample, dialects: readonly Dialect[] = DIALECTS): Dialect {
  const byName = (dialect: Dialect) =>
    dialect.logFiles([sample.fileName]).length > 0 && dialect.isLookAlike?.(sample) !== true;
  return dialects.find((dialect) => dialect.detect(sample)) ?? dialects.find(byName) ?? fallback;
}

/** The dialect whose episode a folder is by its artifacts; undefined where none claims it. */
export function ownerOf(folder: FolderSample, dialects: readonly Dialect[] = DIALECTS): Dialect | undefined {
  return dialects.find((dialect) => dialect.claims?.(folder) === true);
}

/** Of the file names in one directory, those that are logs of any dialect. */
export function logFilesAmong(names: readonly string[], dialects: readonly Dialect[] = DIALECTS): string[] {
  return [...new Set(dialects.flatMap((dialect) => dialect.logFiles(names)))].sort();
}

/** Of the file names in one directory, those that are read with the logs next to them, or hold no events. */
export const sideFilesAmong = (
  names: readonly string[],
  dialects: readonly Dialect[] = DIALECTS,
): ReadonlySet<string> => new Set(dialects.flatMap((dialect) => dialect.sideFiles?.(names) ?? []));

/** The names that the log of an id may have, over all dialects. */
export function logNamesOf(id: string, dialects: readonly Dialect[] = DIALECTS): string[] {
  return dialects.flatMap((dialect) => dialect.logNameOf?.(id) ?? []);
}

/** What people call the log at a path, where a dialect knows it from there. */
export function nameOfLog(log: string, dialects: readonly Dialect[] = DIALECTS): string | undefined {
  return firstOf(dialects, (dialect) => dialect.nameOf?.(log));
}

/** The name of the log that a log is a part of; undefined where it is whole. */
export function wholeOf(log: string, dialects: readonly Dialect[] = DIALECTS): string | undefined {
  return firstOf(dialects, (dialect) => dialect.partOf?.(log));
}

/** The dialect whose names of logs the log at a path has: parts and wholes are of one dialect. */
export function partDialectOf(
  log: string | undefined,
  dialects: readonly Dialect[] = DIALECTS,
): DialectName | undefined {
  return log === undefined
    ? undefined
    : firstOf(dialects, ({ name, nameOf }) => (nameOf?.(log) === undefined ? undefined : name));
}

function firstOf<T>(dialects: readonly Dialect[], ask: (dialect: Dialect) => T | undefined): T | undefined {
  for (const dialect of dialects) {
    const answer = ask(dialect);
    if (answer !== undefined) return answer;
  }
  return undefined;
}

/** The records that a document, or a line that is more than a record, is made of; undefined where no dialect knows it. */
export function recordsIn(
  document: JsonValue,
  dialects: readonly Dialect[] = DIALECTS,
): readonly JsonObject[] | undefined {
  return firstOf(dialects, (dialect) => dialect.recordsIn?.(document));
}

/** A filter that some dialects have, by the name of its option. */
export interface OwnFilter {
  readonly name: string;
  /** What it selects, and in which dialects. */
  readonly help: string;
}

/** The filters that only some dialects have, each once, in the order of the registry. */
export function ownFilters(dialects: readonly Dialect[] = DIALECTS): OwnFilter[] {
  const found = new Map<string, { help: string; owners: DialectName[] }>();
  for (const dialect of dialects) {
    for (const { name, help = `only events of this ${name}` } of dialect.filters ?? []) {
      const known = found.get(name);
      if (known) known.owners.push(dialect.name);
      else found.set(name, { help, owners: [dialect.name] });
    }
  }
  return [...found].map(([name, { help, owners }]) => ({ name, help: `${help} (${owners.join(', ')})` }));
}

/** Which members of some records are taken for what where nobody says so, in words. */
export const usualFields = (records: readonly JsonObject[]): string => fieldsFound(records, {});

/** The versions of the schemas that records and documents are checked with, by dialect and artifact. */
export const schemaVersions = (): Readonly<Record<string, NonNullable<Dialect['versions']>>> =>
  Object.fromEntries(known.flatMap(({ name, versions }) => (versions ? [[name, versions]] : [])));
