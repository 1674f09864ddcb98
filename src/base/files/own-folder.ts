import { lstatSync, mkdirSync, realpathSync, type Stats } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { upwards } from './paths.ts';

/** The parts of the process that it uses. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The user id; undefined if the system has none. */
  readonly user: number | undefined;
}

function folderAt(path: string): Stats {
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there !== undefined) return there;
  mkdirSync(path, { mode: 0o700 });
  return lstatSync(path);
}

/** Whether others can replace the contents of a folder: they may write to it, and rename files of other users. */
const isOpen = ({ mode }: Stats): boolean => (mode & 0o022) !== 0 && (mode & 0o1000) === 0;

/** Whether a file or folder belongs to the user, and nobody else may write to it. */
export const isOnlyFor = (user: number, { uid, mode }: Pick<Stats, 'uid' | 'mode'>): boolean =>
  uid === user && (mode & 0o022) === 0;

/**
 * A folder for what the program keeps between runs, in the user's cache folder; undefined if there is no safe one. Anyone
 * who can write to it can change what the program does or says. Therefore the user must own it and every folder above it
 * up to the home directory, and nobody else may write to them; folders above may also belong to root.
 */
export function ownCacheFolder({ env, home, user }: Surroundings, name: string): string | undefined {
  const { XDG_CACHE_HOME: named = '' } = env;
  const [first, ...below] = isAbsolute(named) ? [named] : [home, '.cache'];
  // A relative path would lead to whatever the working directory contains.
  if (user === undefined || !isAbsolute(first)) return undefined;
  const isOwn = (folder: Stats): boolean => folder.isDirectory() && isOnlyFor(user, folder);
  try {
    // Does not create a missing home directory.
    if (!isOwn(lstatSync(first))) return undefined;
    // The path may contain links of other users.
    let folder = realpathSync(first);
    for (const above of [...upwards(folder)].map((path) => lstatSync(path)))
      if (isOpen(above) || (above.uid !== user && above.uid !== 0)) return undefined;
    for (const part of [...below, 'noesis', name]) {
      folder = join(folder, part);
      if (!isOwn(folderAt(folder))) return undefined;
    }
    return folder;
  } catch {
    // There is no home directory, or it is read-only or full.
    return undefined;
  }
}
