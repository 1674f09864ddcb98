import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openable } from '../../../../base/files/files.ts';
import { isDirectory, statusOf } from '../../../../base/files/paths.ts';
import { linesOfFile } from './lines.ts';
import type { FileLine, Loading, Surroundings } from './model.ts';

/** The logs of a folder by name, and what reads each; the folder need not exist. */
type FolderLogs = ReadonlyMap<string, () => Iterable<FileLine>>;

function logsIn(folder: string): FolderLogs {
  const found = new Map<string, () => Iterable<FileLine>>();
  if (!isDirectory(folder)) return found;
  for (const name of readdirSync(folder).sort()) {
    if (!name.endsWith('.jsonl')) continue;
    const path = join(folder, name);
    const status = openable(folder, path);
    if (typeof status !== 'string' && status.isFile()) found.set(name, () => linesOfFile(path));
  }
  return found;
}

/** The folders of the logs that a command examines. Each is listed once. */
export class LogFolders {
  readonly #known = new Map<string, FolderLogs>();

  logsIn(folder: string): FolderLogs {
    const known = this.#known.get(folder) ?? logsIn(folder);
    this.#known.set(folder, known);
    return known;
  }
}

/**
 * What the rules may ask about the surroundings of a log at a path, where it need not be. The folder is only read for rules
 * that ask for the other logs. `isFolder`: absent if the folder of the session need not exist.
 */
export const surroundingsOf = (
  path: string,
  isFolder?: (path: string) => boolean,
  folders = new LogFolders(),
): Surroundings => ({
  path,
  get siblings() {
    return folders.logsIn(dirname(path));
  },
  ...(isFolder !== undefined && { isFolder }),
});

/** The logs next to a path, and the one at it, that the program deletes when it starts. */
export const deletedBeside = (path: string, { deletes }: Pick<Loading, 'deletes'>): string[] =>
  deletes.map((name) => join(dirname(path), name)).filter((log) => statusOf(log) !== undefined);
