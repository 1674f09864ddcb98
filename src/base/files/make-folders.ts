import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { hasCode } from '../errors.ts';

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Creates a folder whose parent exists; false if it is already there. */
function make(path: string, mode: number | undefined): boolean {
  try {
    mkdirSync(path, mode);
    return true;
  } catch (error) {
    if (!hasCode(error, 'ENOENT') && isFolder(path)) return false;
    throw error;
  }
}

/**
 * Creates a folder and the missing ones above it. Returns the first one that it created. The `recursive` of Node never
 * returns where a file system refuses new folders with ENOENT, as /proc does.
 */
export function makeFolders(path: string, mode?: number): string | undefined {
  try {
    return make(path, mode) ? path : undefined;
  } catch (error) {
    const parent = dirname(path);
    if (!hasCode(error, 'ENOENT') || parent === path) throw error;
    const first = makeFolders(parent, mode);
    return make(path, mode) ? (first ?? path) : first;
  }
}
