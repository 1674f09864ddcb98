import { closeSync, fstatSync } from 'node:fs';
import { cannotRead, FileError, reasonOf } from '../errors.ts';
import { openToRead, readWhole } from './open-file.ts';

/** Reads a file named by an option. Throws `unreadable`. */
export async function readGivenFile(path: string): Promise<Buffer> {
  try {
    return readWhole(path);
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
    const file = openToRead(path);
    const status = fstatSync(file);
    if (status.isFile()) return { file, bytes: status.size };
    closeSync(file);
  } catch (error) {
    throw error instanceof FileError ? error : cannotRead(path, reasonOf(error), error);
  }
  throw cannotRead(path, 'it is not a regular file');
}
