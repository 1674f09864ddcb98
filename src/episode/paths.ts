import type { Stats } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';

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

/** Whether a path is a directory itself and no link to one. */
export async function isRealDirectory(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory();
  } catch {
    return false;
  }
}
