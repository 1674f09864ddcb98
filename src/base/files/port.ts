import { constants } from 'node:fs';
import { type FileHandle, link, lstat, open, readdir, rename, unlink } from 'node:fs/promises';
import { hasCode, isNothing } from '../errors.ts';
import { handleToWrite } from './open-file.ts';

export interface FileStatus {
  readonly dev: number;
  readonly ino: number;
  readonly size: number;
  /** In nanoseconds, as precise as the file system is. */
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  readonly isFile: boolean;
}

/** `append` creates a missing file; `create` fails with EEXIST if it exists. */
export type OpenMode = 'read' | 'append' | 'create';

/** An open file. Each method makes one system call, and may fail as such. */
export interface PortFile {
  read(into: Uint8Array, position: number): Promise<number>;
  /** Appends as much as the system accepts, and returns the number of bytes. */
  write(bytes: Uint8Array): Promise<number>;
  truncate(length: number): Promise<void>;
  /** Flushes written data to disk. */
  sync(): Promise<void>;
  /** Sets the modification time to now. */
  touch(): Promise<void>;
  status(): Promise<FileStatus>;
  close(): Promise<void>;
}

/**
 * The file system calls that writing needs. Writers use nothing else, so tests can make each call fail and
 * interleave two writers in any order.
 */
export interface FileSystem {
  /** Throws `unwritable` for anything but a regular file, instead of waiting for it or following it. */
  open(path: string, mode: OpenMode): Promise<PortFile>;
  /** Undefined if nothing is there. Does not follow links. */
  status(path: string): Promise<FileStatus | undefined>;
  /** Undefined if nothing is there. Otherwise throws like `open`. */
  readFile(path: string): Promise<Buffer | undefined>;
  /** Makes a hard link; EEXIST if the new name is taken. */
  link(path: string, to: string): Promise<void>;
  rename(path: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  list(folder: string): Promise<string[]>;
  /** Flushes a folder to disk, so that new names survive a power failure. */
  syncFolder(folder: string): Promise<void>;
}

const FLAGS: Readonly<Record<OpenMode, number>> = {
  read: constants.O_RDONLY,
  append: constants.O_RDWR | constants.O_APPEND | constants.O_CREAT,
  create: constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL,
};

interface BigStatus {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  isFile(): boolean;
}

const statusFrom = (status: BigStatus): FileStatus => ({
  dev: Number(status.dev),
  ino: Number(status.ino),
  size: Number(status.size),
  mtimeNs: status.mtimeNs,
  ctimeNs: status.ctimeNs,
  isFile: status.isFile(),
});

class HandleFile implements PortFile {
  readonly #handle: FileHandle;

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  async read(into: Uint8Array, position: number): Promise<number> {
    return (await this.#handle.read(into, 0, into.length, position)).bytesRead;
  }

  async write(bytes: Uint8Array): Promise<number> {
    return (await this.#handle.write(bytes, 0, bytes.length, null)).bytesWritten;
  }

  truncate(length: number): Promise<void> {
    return this.#handle.truncate(length);
  }

  sync(): Promise<void> {
    return this.#handle.sync();
  }

  touch(): Promise<void> {
    const now = new Date();
    return this.#handle.utimes(now, now);
  }

  async status(): Promise<FileStatus> {
    return statusFrom(await this.#handle.stat({ bigint: true }));
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

async function orNothing<Value>(work: Promise<Value>): Promise<Value | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isNothing(error)) return undefined;
    throw error;
  }
}

async function wholeFile(path: string): Promise<Buffer> {
  const handle = await handleToWrite(path, FLAGS.read);
  try {
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** The real file system. */
export const systemFiles: FileSystem = {
  open: async (path, mode) => new HandleFile(await handleToWrite(path, FLAGS[mode])),
  status: async (path) => {
    const status = await orNothing(lstat(path, { bigint: true }));
    return status && statusFrom(status);
  },
  readFile: (path) => orNothing(wholeFile(path)),
  link,
  rename,
  remove: unlink,
  list: (folder) => readdir(folder),
  syncFolder: async (folder) => {
    // Not every system can open or sync a folder.
    let handle: FileHandle | undefined;
    try {
      handle = await open(folder, constants.O_RDONLY);
      await handle.sync();
    } catch (error) {
      if (!hasCode(error, 'EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP')) throw error;
    } finally {
      await handle?.close();
    }
  },
};
