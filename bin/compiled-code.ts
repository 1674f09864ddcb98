import { existsSync, lstatSync, mkdirSync, type Stats } from 'node:fs';
import { isAbsolute, join } from 'node:path';

/** The system calls it needs. */
export interface CodeKeeper {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The user id; undefined if the system has none. */
  readonly user: number | undefined;
  /** A function of Node since 22.8. */
  readonly enable: ((folder: string) => unknown) | undefined;
}

function folderAt(path: string): Stats {
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there !== undefined) return there;
  mkdirSync(path, { mode: 0o700 });
  return lstatSync(path);
}

/**
 * Lets Node cache the program's compiled code. Anyone who can write to the cache can make the program run
 * anything. Therefore it is only used if the user owns it and every folder above it up to the home directory,
 * and nobody else may write to it. Without it the program starts a little slower.
 */
export function keepCompiledCode({ env, home, user, enable }: CodeKeeper): void {
  if (enable === undefined || user === undefined) return;
  const { XDG_CACHE_HOME: named = '' } = env;
  const [first, caches] = isAbsolute(named) ? [named, named] : [home, join(home, '.cache')];
  const own = join(caches, 'noesis');
  const code = join(own, 'code');
  const isOwned = (path: string, alone: boolean): boolean => {
    const folder = folderAt(path);
    return folder.isDirectory() && folder.uid === user && (!alone || (folder.mode & 0o022) === 0);
  };
  try {
    // Does not create a missing home directory.
    if (!existsSync(first) || !isOwned(first, false) || !isOwned(caches, false)) return;
    if (isOwned(own, true) && isOwned(code, true)) enable(code);
  } catch {
    // The home directory is read-only or full.
  }
}
