import { existsSync, lstatSync, mkdirSync, type Stats } from 'node:fs';
import { isAbsolute, join } from 'node:path';

/** What it needs to know of the process. */
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

/**
 * The folder for the program's compiled code; undefined if there is no safe one. Anyone who can write to it can
 * make the program run anything. Therefore the user must own it and every folder above it up to the home
 * directory, and nobody else may write to it. Without it the program starts more slowly.
 * `NODE_DISABLE_COMPILE_CACHE` turns it off, as it does Node's own.
 */
export function codeFolder({ env, home, user }: Surroundings): string | undefined {
  const { XDG_CACHE_HOME: named = '', NODE_DISABLE_COMPILE_CACHE: disabled = '' } = env;
  if (user === undefined || disabled !== '') return undefined;
  const [first, caches] = isAbsolute(named) ? [named, named] : [home, join(home, '.cache')];
  const own = join(caches, 'noesis');
  const code = join(own, 'code');
  const isOwned = (path: string, alone: boolean): boolean => {
    const folder = folderAt(path);
    return folder.isDirectory() && folder.uid === user && (!alone || (folder.mode & 0o022) === 0);
  };
  try {
    // Does not create a missing home directory.
    if (!existsSync(first) || !isOwned(first, false) || !isOwned(caches, false)) return undefined;
    return isOwned(own, true) && isOwned(code, true) ? code : undefined;
  } catch {
    // The home directory is read-only or full.
    return undefined;
  }
}
