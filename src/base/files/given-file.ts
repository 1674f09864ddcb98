import { closeSync, fstatSync, openSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { cannotRead, FileError, reasonOf } from '../errors.ts';

/**
 * Throws `unreadable` for a pipe or a device, because opening one may block. A folder fails later, when it is
 * read.
 */
export function requireNoPipe(path: string): void {
  const status = statSync(path);
  if (!status.isFile() && !status.isDirectory()) throw cannotRead(path, 'it is not a regular file');
}

/** Reads a file named by an option. Throws `unreadable`. */
export async function readGivenFile(path: string): Promise<Buffer> {
  try {
    requireNoPipe(path);
    return await readFile(path);
  } catch (error) {
    throw error instanceof FileError ? error : cannotRead(path, reasonOf(error), error);
  }
}

/** A file named by an option, open for reading. */
interface OpenGivenFile {
  readonly file: number;
  readonly bytes: number;
}

/** Opens a file named by an option that may be too large for memory. Throws `unreadable`. */
export function openGivenFile(path: string): OpenGivenFile {
  try {
    requireNoPipe(path);
    const file = openSync(path, 'r');
    const status = fstatSync(file);
    if (status.isFile()) return { file, bytes: status.size };
    closeSync(file);
  } catch (error) {
    throw error instanceof FileError ? error : cannotRead(path, reasonOf(error), error);
  }
  throw cannotRead(path, 'it is not a regular file');
}
