import { lstatSync, mkdirSync, realpathSync, type Stats } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { upwards } from '../src/base/files/paths.ts';

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

/**
 * The folder for the program's compiled code; undefined if there is no safe one. Anyone who can write to it can
 * make the program run anything. Therefore the user must own it and every folder above it up to the home
 * directory, and nobody else may write to them; folders above may also belong to root. Without it the program
 * starts more slowly. `NODE_DISABLE_COMPILE_CACHE` turns it off, as it does Node's own.
 */
export function codeFolder({ env, home, user }: Surroundings): string | undefined {
  const { XDG_CACHE_HOME: named = '', NODE_DISABLE_COMPILE_CACHE: disabled = '' } = env;
  const [first, ...below] = isAbsolute(named) ? [named] : [home, '.cache'];
  // A relative path would lead to whatever the working directory contains.
  if (user === undefined || disabled !== '' || !isAbsolute(first)) return undefined;
  const isOwn = (folder: Stats): boolean =>
    folder.isDirectory() && folder.uid === user && (folder.mode & 0o022) === 0;
  try {
    // Does not create a missing home directory.
    if (!isOwn(lstatSync(first))) return undefined;
    // The path may contain links of other users.
    let folder = realpathSync(first);
    for (const above of [...upwards(folder)].map((path) => lstatSync(path)))
      if (isOpen(above) || (above.uid !== user && above.uid !== 0)) return undefined;
    for (const name of [...below, 'noesis', 'code']) {
      folder = join(folder, name);
      if (!isOwn(folderAt(folder))) return undefined;
    }
    return folder;
  } catch {
    // There is no home directory, or it is read-only or full.
    return undefined;
  }
}
