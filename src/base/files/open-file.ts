import {
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  openSync,
  type ReadStream,
  readFileSync,
  type Stats,
  statSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { cannotRead } from '../errors.ts';

// Opening a FIFO waits for a writer, and a device may never end. Every file that is read is opened here. Its kind is
// checked before and after, because another file may take its name in between; O_NONBLOCK keeps that from waiting.

const AT_ONCE = constants.O_RDONLY | constants.O_NONBLOCK;

export const NO_FILE = 'neither a file nor a folder';

/** Opening a FIFO blocks, and a device may never end. */
export const canBeOpened = (status: Stats): boolean => status.isFile() || status.isDirectory();

function requireOpenable(path: string, status: Stats): void {
  if (!canBeOpened(status)) throw cannotRead(path, 'it is not a regular file');
}

/**
 * Opens a file for reading, without ever waiting. A folder is opened too, and reading it fails with EISDIR. Throws
 * `unreadable` for anything else, and the error of the file system.
 */
export function openToRead(path: string): number {
  requireOpenable(path, statSync(path));
  const file = openSync(path, AT_ONCE);
  try {
    requireOpenable(path, fstatSync(file));
  } catch (error) {
    closeSync(file);
    throw error;
  }
  return file;
}

/** Like {@link openToRead}, as a handle. */
export async function handleToRead(path: string): Promise<FileHandle> {
  requireOpenable(path, statSync(path));
  const handle = await open(path, AT_ONCE);
  try {
    requireOpenable(path, await handle.stat());
  } catch (error) {
    await handle.close();
    throw error;
  }
  return handle;
}

/** Like {@link openToRead}, as a stream, which closes the file. */
export const streamToRead = (path: string, highWaterMark: number): ReadStream =>
  createReadStream(path, { fd: openToRead(path), highWaterMark });

/** The bytes of a whole file. Throws like {@link openToRead}. */
export function readWhole(path: string): Buffer {
  const file = openToRead(path);
  try {
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
