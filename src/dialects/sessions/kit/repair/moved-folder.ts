import { isAbsolute, join, relative } from 'node:path';
import { valueAt } from '../../../../base/json/path.ts';
import type { RepairStep } from './program.ts';

/** A folder at its place in another project; undefined for one that is not in the first project. */
function movedFolder(folder: string, from: string, to: string): string | undefined {
  const rest = relative(from, folder);
  return rest.startsWith('..') || isAbsolute(rest) ? undefined : join(to, rest);
}

/** Makes a session one of another folder, if the user says so. `places`: where records have the folder. */
export const movedTo =
  (...places: readonly (readonly [string, ...string[]])[]): RepairStep =>
  ({ log, options: { cwd } }) => {
    if (cwd === undefined) return;
    let from: string | undefined;
    for (const record of log.records)
      for (const place of places) {
        const folder = valueAt(record.value, place);
        if (typeof folder !== 'string') continue;
        from ??= folder;
        const moved = movedFolder(folder, from, cwd);
        if (moved !== undefined && moved !== folder) log.set(record, place, moved);
      }
    if (from !== undefined && from !== cwd) log.act('moved', 1, `the folder in the records is now ${cwd}`);
  };
