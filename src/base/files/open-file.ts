import {
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  lstatSync,
  openSync,
  type ReadStream,
  readFileSync,
  type Stats,
  statSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { cannotRead, FileError } from '../errors.ts';

// Opening a FIFO waits for a writer, and a device may never end. Every file that is read, and every existing file that is
// written, is opened here. Its kind is checked before and after, because another file may take its name in between;
// O_NONBLOCK keeps that from waiting.

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

/** Like {@link openToRead}, as a stream of all bytes or of those from `start` to before `end`, which closes the file. */
export const streamToRead = (
  path: string,
  highWaterMark: number,
  range?: { readonly start: number; readonly end: number },
): ReadStream =>
  createReadStream(path, {
    fd: openToRead(path),
    highWaterMark,
    ...(range && { start: range.start, end: range.end - 1 }),
  });

/** The bytes of a whole file. Throws like {@link openToRead}. */
export function readWhole(path: string): Buffer {
  const file = openToRead(path);
  try {
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

function kindOfFile(status: Stats): string {
  if (status.isSymbolicLink()) return 'a symlink';
  if (status.isDirectory()) return 'a folder';
  if (status.isFIFO()) return 'a FIFO';
  return status.isSocket() ? 'a socket' : 'a device';
}

/** What has this name, links not followed; undefined if it cannot be found out, because opening it says why. */
function statusHere(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

/** Throws `unwritable` if a path is anything but a regular file. */
export function requireRegular(path: string, status = statusHere(path)): void {
  if (status === undefined || status.isFile()) return;
  throw new FileError('unwritable', `${path} is ${kindOfFile(status)}: nothing was written`, {
    place: { file: path },
    hint: `remove ${path}: noesis writes only to regular files`,
  });
}

/**
 * Opens a log, or a file that a writer keeps next to it, without ever waiting. A symlink is not followed, because it may
 * lead to a file that must not be changed. Throws `unwritable` for anything but a regular file, and the error of the
 * file system.
 */
export async function handleToWrite(path: string, flags: number): Promise<FileHandle> {
  requireRegular(path);
  const handle = await open(path, flags | constants.O_NONBLOCK | constants.O_NOFOLLOW, 0o666);
  try {
    requireRegular(path, await handle.stat());
  } catch (error) {
    await handle.close();
    throw error;
  }
  return handle;
}
