import type { Dialect, DialectName, LogSample } from './dialect.ts';
import { noesis } from './noesis/index.ts';

/** Every dialect, in the order in which they are tried. */
export const DIALECTS: readonly Dialect[] = [noesis];

/** The dialect of what cannot be told, such as a directory without a log. */
export const FIRST_DIALECT: Dialect = noesis;

/** The dialect of a name; undefined when it is not built in. */
export function dialectNamed(name: DialectName): Dialect | undefined {
  return DIALECTS.find((dialect) => dialect.name === name);
}

/** The dialect a log is of, told from its name and first records; undefined when it fits none. */
export function detectDialect(
  sample: LogSample,
  dialects: readonly Dialect[] = DIALECTS,
): Dialect | undefined {
  return dialects.find((dialect) => dialect.detect(sample));
}

/** Of the file names in one directory, those that are logs of any dialect. */
export function logFilesAmong(names: readonly string[], dialects: readonly Dialect[] = DIALECTS): string[] {
  return [...new Set(dialects.flatMap((dialect) => dialect.logFiles(names)))].sort();
}
