import { constants } from 'node:fs';
import { type FileHandle, link, lstat, open, readdir, readFile, rename, unlink } from 'node:fs/promises';
import { hasCode, isNothing } from '../errors.ts';

/** What is known of a file without reading it. */
export interface FileStatus {
  readonly dev: number;
  readonly ino: number;
  readonly size: number;
  /** In nanoseconds, as far as the file system counts them. */
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  readonly isFile: boolean;
}

/** `read`: what is there. `append`: at the end, made where it is missing. `create`: new, or EEXIST. */
export type OpenMode = 'read' | 'append' | 'create';

/** An open file. Each call is one system call, and may fail as such. */
export interface PortFile {
  read(into: Uint8Array, position: number): Promise<number>;
  /** Writes at the end what the system takes, and says how much that was. */
  write(bytes: Uint8Array): Promise<number>;
  truncate(length: number): Promise<void>;
  /** Brings what was written to the disk. */
  sync(): Promise<void>;
  /** Sets the time of its last change to now. */
  touch(): Promise<void>;
  status(): Promise<FileStatus>;
  close(): Promise<void>;
}

/**
 * What those who write ask of a file system: nothing else of it is used, so that tests can make every call fail and
 * every order of two writers' calls happen.
 */
export interface FileSystem {
  open(path: string, mode: OpenMode): Promise<PortFile>;
  /** Undefined where nothing is there. Links are not followed. */
  status(path: string): Promise<FileStatus | undefined>;
  /** Undefined where nothing is there. */
  readFile(path: string): Promise<Buffer | undefined>;
  /** Gives a file a second name; EEXIST where that is taken. */
  link(path: string, to: string): Promise<void>;
  rename(path: string, to: string): Promise<void>;
  /** Takes a name away. */
  remove(path: string): Promise<void>;
  /** The names in a folder. */
  list(folder: string): Promise<string[]>;
  /** Brings to the disk which names a folder holds. */
  syncFolder(folder: string): Promise<void>;
}

const FLAGS: Readonly<Record<OpenMode, number>> = {
  read: constants.O_RDONLY,
  // Nobody is waited for: what is no file is refused by whoever asks for its status.
  append: constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK,
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

/** The machine's own file system. */
export const systemFiles: FileSystem = {
  open: async (path, mode) => new HandleFile(await open(path, FLAGS[mode], 0o666)),
  status: async (path) => {
    const status = await orNothing(lstat(path, { bigint: true }));
    return status && statusFrom(status);
  },
  readFile: (path) => orNothing(readFile(path)),
  link,
  rename,
  remove: unlink,
  list: (folder) => readdir(folder),
  syncFolder: async (folder) => {
    // Not every system lets a folder be opened, or synced: there its names are the system's affair.
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
