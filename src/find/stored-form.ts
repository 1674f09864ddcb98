import { basename, dirname } from 'node:path';
import { isDirectory } from '../base/files/paths.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { documentsAmong } from './document-logs.ts';
import { storeOf } from './stores.ts';

/** How a run is stored if it is not a file of lines: in a database, in many files, or as one JSON document. */
export type StoredForm = 'database' | 'files' | 'document';

/** How the run with this log is stored; undefined for a file of lines. */
export function storedFormOf(log: string): StoredForm | undefined {
  const store = storeOf(log);
  if (store !== undefined) return isDirectory(store) ? 'files' : 'database';
  return documentsAmong(dirname(log), [basename(log)]).length > 0 ? 'document' : undefined;
}

/** Whether `doctor` examines a log: no command may name `doctor` for another one. */
export const isForDoctor = ({ loading }: Pick<Dialect, 'loading'>, log: string): boolean =>
  loading !== undefined && storedFormOf(log) === undefined;
