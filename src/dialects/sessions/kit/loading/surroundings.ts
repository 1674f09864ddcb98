import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { openable } from '../../../../base/files/files.ts';
import { isDirectory } from '../../../../base/files/paths.ts';
import { linesOfFile } from './lines.ts';
import type { FileLine, Surroundings } from './model.ts';

/** The other logs in the folder of a log, which need not exist. */
function siblingsOf(log: string): ReadonlyMap<string, () => Iterable<FileLine>> {
  const found = new Map<string, () => Iterable<FileLine>>();
  const folder = dirname(log);
  if (!isDirectory(folder)) return found;
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.jsonl') || name === basename(log)) continue;
    const path = join(folder, name);
    const status = openable(folder, path);
    if (typeof status !== 'string' && status.isFile()) found.set(name, () => linesOfFile(path));
  }
  return found;
}

/**
 * What the rules may ask about the surroundings of a log at a path, where it need not be. The folder is only read for rules
 * that ask for the other logs. `isFolder`: absent if the folder of the session need not exist.
 */
export const surroundingsOf = (path: string, isFolder?: (path: string) => boolean): Surroundings => ({
  path,
  get siblings() {
    return siblingsOf(path);
  },
  ...(isFolder !== undefined && { isFolder }),
});
