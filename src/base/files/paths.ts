import { lstatSync, type Stats, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { isNothing, reasonOf } from '../errors.ts';

/** A path for messages: relative if it is below the current folder, otherwise absolute. */
export function shownPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short === '' || short.startsWith('..') || isAbsolute(short) ? path : short;
}

/** The paths of entries of a folder, as `join` makes them; for many entries it takes most of the time of a search. */
export function pathsIn(dir: string): (name: string) => string {
  const before = join(dir, '_').slice(0, -1);
  return (name) => before + name;
}

/** Yields a folder and its ancestors up to the root of the file system. */
export function* upwards(from: string): Generator<string> {
  for (let dir = resolve(from); ; dir = dirname(dir)) {
    yield dir;
    if (dirname(dir) === dir) return;
  }
}

/** Whether a path is a link. */
export function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

/**
 * The status of a path, following links; undefined if nothing is there. Synchronous, because there may be thousands of
 * paths, and Node's asynchronous call takes several times as long.
 */
export function statusOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** Whether a file is at a path. Cheaper than {@link statusOf} if most of the paths have no file. */
export function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    // A part of the path is a file, such as an archive that was unpacked elsewhere.
    return false;
  }
}

/** The size of a file in bytes; 0 if it does not exist. */
export const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Why the file system does not say what is at a path; undefined if it does, or if nothing is there. */
export function refusalOf(path: string): string | undefined {
  try {
    statSync(path);
  } catch (error) {
    if (!isNothing(error)) return reasonOf(error);
  }
  return undefined;
}

export function isDirectory(path: string): boolean {
  return statusOf(path)?.isDirectory() ?? false;
}
