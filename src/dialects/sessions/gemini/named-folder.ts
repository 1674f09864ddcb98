import { createHash } from 'node:crypto';
import { isFileError } from '../../../base/errors.ts';
import { orNone } from '../../../base/files/or-none.ts';
import { jsonIn } from '../../../base/json/parse.ts';
import { bytesBetween } from '../../../log/bytes-between.ts';

/** In bytes: the beginning of a log, with the message in which the program names the folders of the session. */
const BEGINNING = 64 * 1024;
/** The number of paths that are tried. */
const MOST_PATHS = 500;

/** Gemini CLI names a project by the hash of its path. */
export const hashOf = (path: string): string => createHash('sha256').update(path).digest('hex');

/** Empty if the log cannot be read, as one in an archive. */
const beginningOf = (log: string): string =>
  orNone(() => bytesBetween(log, 0, BEGINNING).toString('utf8'), '', isFileError);

/** Absolute paths at the ends of lines of texts that are stored as JSON, as `  - /home/usr/work` in a list of folders. */
function pathsIn(stored: string): Set<string> {
  const paths = new Set<string>();
  for (const line of stored.split(/\\n|["\n]/)) {
    const [path] = /(?:\/|\b[A-Za-z]:\\\\).*$/.exec(line) ?? [];
    const text = path === undefined ? undefined : jsonIn(`"${path.trim()}"`);
    if (typeof text !== 'string') continue;
    paths.add(text);
    if (paths.size >= MOST_PATHS) break;
  }
  return paths;
}

/** The hash of the folder, in the header of a log. */
const hashIn = (stored: string): string | undefined =>
  /"projectHash"\s*:\s*"([\da-f]{64})"/.exec(stored)?.[1];

/** Whether the header of a log has the hash of this folder. */
export const isOfFolder = (log: string, folder: string): boolean =>
  hashIn(beginningOf(log)) === hashOf(folder);

/**
 * The folder of a session that its first messages name, such as the list "Workspace Directories". A text proves nothing, but
 * the hash of the path in the header of the log does.
 */
export function namedFolder(log: string): string | undefined {
  const stored = beginningOf(log);
  const hash = hashIn(stored);
  return hash === undefined ? undefined : [...pathsIn(stored)].find((path) => hashOf(path) === hash);
}
