import { AsyncLocalStorage } from 'node:async_hooks';
import { basename } from 'node:path';
import type { JsonObject, JsonValue } from '../base/json/value.ts';
import { profilesWith } from '../findings/chains/choose.ts';
import { AS_STORED, type LogForm } from '../log/log-form.ts';
import { coordinator } from './coordinator/index.ts';
import type { Dialect, DialectName, EpisodeFolder, FolderSample, LogSample, Remember } from './dialect.ts';
import { exarchos } from './exarchos/index.ts';
import { fishbowl } from './fishbowl/index.ts';
import { fieldsFound } from './generic/fields.ts';
import type { OwnFormats } from './generic/format.ts';
import { chainDialects, GENERIC_NAME, genericDialect, ownDialects } from './generic/index.ts';
import type { UpcastStep } from './kit/upcast-schema.ts';
import { noesis } from './noesis/index.ts';
import { otlp } from './otlp/index.ts';
import { atif } from './sessions/atif/index.ts';
import { claudeCode } from './sessions/claude-code/index.ts';
import { codex } from './sessions/codex/index.ts';
import { copilot } from './sessions/copilot/index.ts';
import { gemini } from './sessions/gemini/index.ts';
import { opencode } from './sessions/opencode/index.ts';
import { pi } from './sessions/pi/index.ts';
import { qwen } from './sessions/qwen/index.ts';

export type { OwnFormats };
export { GENERIC_NAME };

// The built-in dialects. Each is a folder next to this file and an entry here.

const BUILT_IN: readonly Dialect[] = [
  noesis,
  exarchos,
  fishbowl,
  coordinator,
  claudeCode,
  codex,
  copilot,
  pi,
  qwen,
  gemini,
  atif,
  opencode,
  otlp,
];

/** All dialects with these formats of the user, in the order of detection. */
function dialectsWith(formats: OwnFormats): Dialect[] {
  const [first, ...others] = BUILT_IN;
  const names = [...BUILT_IN.map(({ name }) => name), ...Object.keys(formats.named)];
  const chains = chainDialects(formats.chains, names);
  // A map that the user names wins over that of a known chain, too.
  const isMapped = formats.map !== undefined;
  const all = [
    ...(first ? [first] : []),
    ...(isMapped ? [] : chains.known),
    ...others,
    ...ownDialects(formats, chains.declared),
    ...(isMapped ? chains.known : []),
  ];
  const { upcasts = [] } = formats;
  return upcasts.length === 0 ? all : all.map((dialect) => withUpcasts(dialect, upcasts));
}

/** The formats with which logs are read. */
interface Formats {
  readonly own: OwnFormats;
  /** In the order of detection: built-in ones, then those that the user described. */
  readonly dialects: readonly Dialect[];
  /** The dialect for unknown JSON Lines. */
  readonly generic: Dialect;
}

const formatsWith = (own: OwnFormats): Formats => ({
  own,
  dialects: dialectsWith(own),
  generic: genericDialect(own.map),
});

const BUILT_IN_FORMATS = formatsWith({ named: {} });

/** The built-in dialects, in the order of detection. */
export const DIALECTS: readonly Dialect[] = BUILT_IN_FORMATS.dialects;

/** The formats of each task that has others than the built-in ones, so that tasks that run at the same time may differ. */
const ofTask = new AsyncLocalStorage<Formats>();

const formats = (): Formats => ofTask.getStore() ?? BUILT_IN_FORMATS;

const isEmpty = ({ named, map, upcasts = [], chains = {}, isAsked }: OwnFormats): boolean =>
  map === undefined &&
  isAsked !== true &&
  [named, chains, upcasts].every((tables) => Object.keys(tables).length === 0);

/** Runs a task that reads logs with these formats of the user, which no other task sees. */
export function withFormats<Result>(own: OwnFormats, task: () => Result): Result {
  // Most tasks have none, and keeping track of a task slows it down a little.
  if (isEmpty(own) && ofTask.getStore() === undefined) return task();
  return ofTask.run(isEmpty(own) ? BUILT_IN_FORMATS : formatsWith(own), task);
}

/** All dialects of this task, in the order of detection: built-in ones, then those that the user described. */
export const allDialects = (): readonly Dialect[] => formats().dialects;

/** The user's formats in this task as plain data, which can be sent to a worker thread. */
export const formatsInUse = (): OwnFormats => formats().own;

/** Whether the user described formats, or steps to newer versions, which change how logs are read. */
export function hasOwnFormats(): boolean {
  const { map, isAsked, named, upcasts = [] } = formatsInUse();
  return map !== undefined || isAsked === true || Object.keys(named).length > 0 || upcasts.length > 0;
}

/** Loads the code for user-defined formats on demand, because most runs have none. */
export const formatReaders = async () => import('./generic/own-formats.ts');

/** A dialect with the user's steps for its older events. Each reader of a log converts events by them. */
function withUpcasts(dialect: Dialect, steps: readonly UpcastStep[]): Dialect {
  const { name, upcast, form } = dialect;
  const upcasts = steps.filter((step) => step.dialect === name);
  if (upcast === undefined || upcasts.length === 0) return dialect;
  return { ...dialect, upcasts, form: form.converting((event) => upcast(event, upcasts) ?? event) };
}

/** How to read records that may be events of any dialect. */
export function formOfAny(dialects: readonly Dialect[] = allDialects()): LogForm {
  const upcasters = dialects.flatMap(({ form }) => form.newest ?? []);
  if (upcasters.length === 0) return AS_STORED;
  return AS_STORED.converting((event) => upcasters.reduce((form, newest) => newest(form), event));
}

/** A dialect whose episodes have folders. */
type FolderDialect = Dialect & { readonly folder: EpisodeFolder };

const hasFolder = (dialect: Dialect): dialect is FolderDialect => dialect.folder !== undefined;

/** The folders of episodes, by dialect. */
export const episodeFolders = (): EpisodeFolder[] =>
  allDialects()
    .filter(hasFolder)
    .map(({ folder }) => folder);

/** The prefix of a generated name of an episode; empty for other names. */
export const idPrefixOf = (name: string): string =>
  episodeFolders().find(({ idPrefix }) => name.startsWith(idPrefix))?.idPrefix ?? '';

/**
 * The dialect of a folder that nothing else identifies: by the name of the episode or root, else the first
 * dialect with folders.
 */
export function folderDialect(name = '', dialects: readonly Dialect[] = allDialects()): FolderDialect {
  const all = dialects.filter(hasFolder);
  const found = all.find(({ folder }) => name === folder.root || name.startsWith(folder.idPrefix)) ?? all[0];
  if (found === undefined) throw new Error('no dialect has folders');
  return found;
}

/** The dialect for unknown JSON Lines. */
export const genericNow = (): Dialect => formats().generic;

/** For each profile of a chain in a document: texts that such a document has in its first bytes. */
export const chainedDocuments = (): (readonly string[])[] =>
  profilesWith(formatsInUse().chains).flatMap(({ profile, marks }) =>
    profile.records === undefined ? [] : [marks],
  );

/** Whether a dialect is the one for unknown JSON Lines. */
export const isGeneric = (dialect: Dialect): boolean => dialect.name === GENERIC_NAME;

export function dialectNamed(
  name: DialectName,
  dialects: readonly Dialect[] = allDialects(),
): Dialect | undefined {
  return (
    dialects.find((dialect) => dialect.name === name) ?? (name === GENERIC_NAME ? genericNow() : undefined)
  );
}

/**
 * Detects the dialect of a log: that of most of its first records, else that of its name. If none fits, it is unknown JSON
 * Lines.
 */
export function detectDialect(sample: LogSample, dialects: readonly Dialect[] = allDialects()): Dialect {
  const byName = (dialect: Dialect) =>
    dialect.logFiles([sample.fileName]).length > 0 && dialect.isLookAlike?.(sample) !== true;
  // Several programs use one name. Of an empty log, its folder may say whose it is.
  const { path, records } = sample;
  const byPlace = (dialect: Dialect) =>
    records.length === 0 && path !== undefined && byName(dialect) && dialect.nameOf?.(path) !== undefined;
  const [first, ...others] = dialects.filter((dialect) => dialect.detect(sample));
  if (first === undefined) return dialects.find(byPlace) ?? dialects.find(byName) ?? genericNow();
  if (others.length === 0) return first;
  // One record of another program does not make the log one of it.
  const votes = [first, ...others].map((dialect) => ({ dialect, count: recordsOf(dialect, sample).length }));
  return votes.reduce((most, one) => (one.count > most.count ? one : most)).dialect;
}

/** The records of a sample that a dialect recognises by themselves. */
const recordsOf = (dialect: Dialect, { fileName, records }: LogSample): JsonObject[] =>
  records.filter((record) => dialect.detect({ fileName, records: [record] }));

/** The dialect of records that are not of the dialect of their log; undefined if no other recognises them. */
export function foreignDialect(records: readonly JsonObject[], own: Dialect): Dialect | undefined {
  // The name of a file must not decide, so it has none.
  const sample = { fileName: '', records };
  if (own.detect(sample)) return undefined;
  return BUILT_IN.find((dialect) => dialect.name !== own.name && dialect.detect(sample));
}

/** The dialect that claims a folder by its artifacts, or undefined. */
export function ownerOf(folder: FolderSample): Dialect | undefined {
  return allDialects().find((dialect) => dialect.claims?.(folder) === true);
}

/** Which of these file names are names of logs in any dialect. */
export function logFilesAmong(
  names: readonly string[],
  dialects: readonly Dialect[] = allDialects(),
): string[] {
  return [...new Set(dialects.flatMap((dialect) => dialect.logFiles(names)))].sort();
}

/** Which of these files may be read together with the logs next to them, judging by names. */
export const sideFilesAmong = (names: readonly string[]): ReadonlySet<string> =>
  new Set(allDialects().flatMap((dialect) => dialect.sideFiles?.(names) ?? []));

/** The name of the log that a program loads instead of this one, if the folder has both. */
export const supersededBy = (name: string, names: readonly string[]): string | undefined =>
  firstOf((dialect) => {
    const other = dialect.supersededBy?.(name);
    return other !== undefined && names.includes(other) ? other : undefined;
  });

/** The possible file names for the log of an id, over all dialects. */
export function logNamesOf(id: string): string[] {
  return allDialects().flatMap((dialect) => dialect.logNameOf?.(id) ?? []);
}

/** The display name of a log, if a dialect knows one. */
export function nameOfLog(log: string): string | undefined {
  return firstOf((dialect) => dialect.nameOf?.(log));
}

/** The name of the log of a part of a run, which commands accept as a target. */
export const partName = (log: string): string => nameOfLog(log) ?? basename(log);

/** The log that a log is a part of; undefined if it is independent. `head`: see `partOf` of a dialect. */
export function wholeOf(log: string, head?: Buffer): string | undefined {
  return firstOf((dialect) => dialect.partOf?.(log, head));
}

/** The logs of other sessions on which it depends what a list shows of a log. */
export const relatedLogs = (log: string, remember: Remember): string[] =>
  allDialects().flatMap((dialect) => dialect.relatedLogs?.(log, remember) ?? []);

/** A dialect for one log: what other logs show of it may be known. */
export const dialectFor = (dialect: Dialect, log: string): Dialect => dialect.ofLog?.(log) ?? dialect;

/** Other folders that may have parts of a log. */
export const foldersOfParts = (log: string): string[] =>
  allDialects().flatMap((dialect) => dialect.foldersOfParts?.(log) ?? []);

/** The dialect whose log names fit a path. Parts have the same dialect as their log. `head`: see `partOf` of a dialect. */
export function partDialectOf(log: string | undefined, head?: Buffer): DialectName | undefined {
  if (log === undefined) return undefined;
  const asking = (ask: (dialect: Dialect) => string | undefined) =>
    firstOf((dialect) => (ask(dialect) === undefined ? undefined : dialect.name));
  return asking((dialect) => dialect.partOf?.(log, head)) ?? asking((dialect) => dialect.nameOf?.(log));
}

function firstOf<T>(ask: (dialect: Dialect) => T | undefined): T | undefined {
  for (const dialect of allDialects()) {
    const answer = ask(dialect);
    if (answer !== undefined) return answer;
  }
  return undefined;
}

/** The records of a document, or of a line with several; undefined if no dialect knows it. */
export function recordsIn(document: JsonValue): readonly JsonValue[] | undefined {
  return firstOf((dialect) => dialect.recordsIn?.(document));
}

/** A filter that only some dialects have. */
interface OwnFilter {
  readonly name: string;
  /** What the option selects. */
  readonly help: string;
  readonly owners: readonly DialectName[];
}

/** The filters that only some dialects have, without duplicates, in registry order. */
export function ownFilters(): OwnFilter[] {
  const found = new Map<string, { help: string; owners: DialectName[] }>();
  for (const dialect of allDialects()) {
    for (const { name, help = `show only events of this ${name}` } of dialect.filters ?? []) {
      const known = found.get(name);
      if (known) known.owners.push(dialect.name);
      else found.set(name, { help, owners: [dialect.name] });
    }
  }
  return [...found].map(([name, rest]) => ({ name, ...rest }));
}

/** The members of unknown records that serve as id, time and so on by default, in words. */
export const usualFields = (records: readonly JsonObject[]): string => fieldsFound(records, {});

/** The versions of the schemas for records and documents, by dialect and artifact. */
export const schemaVersions = (): Readonly<Record<string, NonNullable<Dialect['versions']>>> =>
  Object.fromEntries(DIALECTS.flatMap(({ name, versions }) => (versions ? [[name, versions]] : [])));
