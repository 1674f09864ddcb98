import { coordinator } from './coordinator/index.ts';
import type { Dialect, DialectName, FolderSample, LogSample } from './dialect.ts';
import { exarchos } from './exarchos/index.ts';
import { fishbowl } from './fishbowl/index.ts';
import { generic } from './generic/index.ts';
import { noesis } from './noesis/index.ts';

// A dialect is a folder beside this file and an entry here: everything else goes by this list.

/** Every dialect, in the order in which they are tried. */
export const DIALECTS: readonly Dialect[] = [noesis, exarchos, fishbowl, coordinator];

/** The dialect of what cannot be told, such as a directory without a log. */
export const FIRST_DIALECT: Dialect = noesis;

/** What is read as JSON lines of no known dialect. */
export const GENERIC: Dialect = generic;

/** Whether a log is of no dialect that is known. */
export const isGeneric = (dialect: Dialect): boolean => dialect === generic;

/** The dialect of a name. */
export function dialectNamed(
  name: DialectName,
  dialects: readonly Dialect[] = DIALECTS,
): Dialect | undefined {
  return dialects.find((dialect) => dialect.name === name);
}

/**
 * The dialect a log is of: told from its first records, else from its name. One that fits none is read as JSON lines
 * of no known dialect.
 */
export function detectDialect(sample: LogSample, dialects: readonly Dialect[] = DIALECTS): Dialect {
  const byName = (dialect: Dialect) =>
    dialect.logFiles([sample.fileName]).length > 0 && dialect.isLookAlike?.(sample) !== true;
  return dialects.find((dialect) => dialect.detect(sample)) ?? dialects.find(byName) ?? generic;
}

/** The dialect whose episode a folder is by its artifacts; undefined where none claims it. */
export function ownerOf(folder: FolderSample, dialects: readonly Dialect[] = DIALECTS): Dialect | undefined {
  return dialects.find((dialect) => dialect.claims?.(folder) === true);
}

/** Of the file names in one directory, those that are logs of any dialect. */
export function logFilesAmong(names: readonly string[], dialects: readonly Dialect[] = DIALECTS): string[] {
  return [...new Set(dialects.flatMap((dialect) => dialect.logFiles(names)))].sort();
}

/** The names that the log of an id may have, over all dialects. */
export function logNamesOf(id: string, dialects: readonly Dialect[] = DIALECTS): string[] {
  return dialects.flatMap((dialect) => dialect.logNameOf?.(id) ?? []);
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
