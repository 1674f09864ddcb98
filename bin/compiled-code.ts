import { existsSync, lstatSync, mkdirSync, type Stats } from 'node:fs';
import { isAbsolute, join } from 'node:path';

/** What is asked of the machine. */
export interface CodeKeeper {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The user; undefined where the system has no numbers for users. */
  readonly user: number | undefined;
  /** Node's own function, from 22.8 on. */
  readonly enable: ((folder: string) => unknown) | undefined;
}

function folderAt(path: string): Stats {
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there !== undefined) return there;
  mkdirSync(path, { mode: 0o700 });
  return lstatSync(path);
}

/**
 * Lets Node keep the compiled code of the program for the next start. Whoever can write into its folder can make the
 * program run anything: so it is used only if the user owns it and every folder above it from the home on, and if
 * nobody else may write into it. Where it cannot be kept the program runs as well, and a little slower.
 */
export function keepCompiledCode({ env, home, user, enable }: CodeKeeper): void {
  if (enable === undefined || user === undefined) return;
  const { XDG_CACHE_HOME: named = '' } = env;
  const first = isAbsolute(named) ? named : home;
  const above = first === home ? [home, join(home, '.cache')] : [first];
  const own = join(above.at(-1) ?? first, 'noesis');
  const code = join(own, 'code');
  const isOwned = (path: string, alone: boolean): boolean => {
    const folder = folderAt(path);
    return folder.isDirectory() && folder.uid === user && (!alone || (folder.mode & 0o022) === 0);
  };
  try {
    // A home that is missing is not made.
    if (!existsSync(first) || !above.every((path) => isOwned(path, false))) return;
    if (isOwned(own, true) && isOwned(code, true)) enable(code);
  } catch {
    // A home that is read-only, or full.
  }
}
