import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve } from 'node:path';

/** A path as a user in a folder would write it: from there where it lies below, else absolute. */
export function shownPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short === '' || short.startsWith('..') || isAbsolute(short) ? path : short;
}

/** The folders from one up to the root of the file system. */
export function* upwards(from: string): Generator<string> {
  for (let dir = resolve(from); ; dir = dirname(dir)) {
    yield dir;
    if (dirname(dir) === dir) return;
  }
}

/** The status of what a path leads to, links followed; undefined when nothing is there. */
export async function statusOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch {
    return undefined;
  }
}

/** Whether a directory is there, links followed. */
export async function isDirectory(path: string): Promise<boolean> {
  return (await statusOf(path))?.isDirectory() ?? false;
}
