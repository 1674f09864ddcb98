import { type Stats, statSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve } from 'node:path';

/** A path for messages: relative if it is below the current folder, otherwise absolute. */
export function shownPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short === '' || short.startsWith('..') || isAbsolute(short) ? path : short;
}

/** Yields a folder and its ancestors up to the root of the file system. */
export function* upwards(from: string): Generator<string> {
  for (let dir = resolve(from); ; dir = dirname(dir)) {
    yield dir;
    if (dirname(dir) === dir) return;
  }
}

/** The status of a path, following links; undefined if nothing is there. */
export async function statusOf(path: string): Promise<Stats | undefined> {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

export async function isDirectory(path: string): Promise<boolean> {
  return (await statusOf(path))?.isDirectory() ?? false;
}
