import { closeSync, fstatSync, readSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { isNothing } from '../errors.ts';
import { leadsOutside } from '../files/files.ts';
import { openGivenFile } from '../files/given-file.ts';
import { type FaultOf, faultsOf } from './fault.ts';
import { readWal, type WriteAheadLog, walHeader } from './wal.ts';

/** The first sixteen bytes of every SQLite database. */
const MAGIC = Buffer.from('SQLite format 3\0');
const HEADER = 100;
const UTF8 = 1;
/** The first bytes of a rollback journal that is in use. */
const JOURNAL = Buffer.from('d9d505f920a163d7', 'hex');
/** In milliseconds: the times of files are no more exact than this. */
const CLOCK_TICK = 20;
/** How many bytes of pages are kept. */
const KEPT_BYTES = 4 * 1024 * 1024;

/** Whether bytes begin as a SQLite database does. */
export const isSqlite = (bytes: Uint8Array): boolean => MAGIC.equals(bytes.subarray(0, MAGIC.length));

/** Reads bytes of an open file; fewer if it ends before. */
function bytesAt(file: number, from: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, from));
}

/** What of a file shows that somebody wrote to it. */
const stampOf = (file: number): string => {
  const { size, mtimeNs, ino } = fstatSync(file, { bigint: true });
  return `${ino} ${size} ${mtimeNs}`;
};

/** A file next to the database that is opened if it exists. Throws `unreadable` for a link out of the folder. */
function openIfThere(
  path: string,
  fault: FaultOf,
): { readonly file: number; readonly bytes: number } | undefined {
  try {
    if (leadsOutside(dirname(path), path))
      throw fault(`${basename(path)} next to it is a symlink out of the folder, which is not followed`);
    statSync(path);
  } catch (error) {
    if (isNothing(error)) return undefined;
    throw error;
  }
  return openGivenFile(path);
}

/** The pages of a database as they were when it was opened. Reads without a lock and without writing. */
export class Pages {
  readonly fault: FaultOf;
  readonly pageSize: number;
  /** The bytes of a page that are in use. */
  readonly usable: number;
  /** The number of pages. */
  readonly count: number;
  readonly wal: WriteAheadLog | undefined;
  readonly #path: string;
  readonly #file: number;
  readonly #walFile: number | undefined;
  readonly #stamp: string;
  /** Whether the file changed so recently that a further change may not change its time. */
  readonly #isFresh: boolean;
  readonly #kept = new Map<number, Buffer>();
  readonly #mostKept: number;

  constructor(path: string, hint?: string) {
    this.#path = path;
    this.fault = faultsOf(path, hint);
    const { file, bytes } = openGivenFile(path);
    this.#file = file;
    try {
      this.#stamp = stampOf(file);
      this.#isFresh = Math.abs(Date.now() - fstatSync(file).mtimeMs) < CLOCK_TICK;
      const header = bytesAt(file, 0, Math.min(HEADER, bytes));
      if (!isSqlite(header)) throw this.fault('it is not a SQLite database, or it is encrypted');
      if (header.length < HEADER) throw this.fault('it ends within its header');
      const size = header.readUInt16BE(16);
      this.pageSize = size === 1 ? 65_536 : size;
      if (this.pageSize < 512 || (this.pageSize & (this.pageSize - 1)) !== 0)
        throw this.fault(`its pages cannot have ${this.pageSize} bytes`);
      this.usable = this.pageSize - (header[20] ?? 0);
      if (this.usable < 480) throw this.fault('its pages reserve too many bytes');
      const [writes, reads] = [header[18] ?? 0, header[19] ?? 0];
      if (reads < 1 || reads > 2 || writes < 1)
        throw this.fault(`a newer version of SQLite wrote it (format ${reads})`);
      this.#refuseJournal();
      const log = reads === 2 ? openIfThere(`${path}-wal`, this.fault) : undefined;
      this.#walFile = log?.file;
      this.wal = log && readWal(log.file, log.bytes, this.pageSize);
      this.count = this.wal?.size ?? Math.floor(bytes / this.pageSize);
      this.#mostKept = Math.max(8, Math.floor(KEPT_BYTES / this.pageSize));
      const encoding = this.page(1).readUInt32BE(56);
      // The encoding is 0 in a database without a table.
      if (encoding !== UTF8 && encoding !== 0)
        throw this.fault('its texts are in UTF-16, which noesis does not read');
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** The bytes of a page. They are shared: do not write to them. */
  page(number: number): Buffer {
    const kept = this.#kept.get(number);
    if (kept !== undefined) {
      // The page that was used last is dropped last.
      this.#kept.delete(number);
      this.#kept.set(number, kept);
      return kept;
    }
    if (number < 1 || number > this.count)
      throw this.fault(`the database has only ${this.count} pages`, number);
    const inWal = this.wal?.pages.get(number);
    const bytes =
      inWal === undefined || this.#walFile === undefined
        ? bytesAt(this.#file, (number - 1) * this.pageSize, this.pageSize)
        : bytesAt(this.#walFile, inWal, this.pageSize);
    if (bytes.length < this.pageSize) throw this.fault('the file ends before it', number);
    this.#kept.set(number, bytes);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > this.#mostKept && oldest !== undefined) this.#kept.delete(oldest);
    return bytes;
  }

  /**
   * Whether no page changed since the database was opened. New frames at the end of the write-ahead log change
   * none; another round of it does, and so does a checkpoint, which writes to the database.
   */
  isCurrent(): boolean {
    if (this.#isFresh || stampOf(this.#file) !== this.#stamp) return false;
    return this.#walFile === undefined || !this.wal || walHeader(this.#walFile).equals(this.wal.header);
  }

  close(): void {
    closeSync(this.#file);
    if (this.#walFile !== undefined) closeSync(this.#walFile);
  }

  /** Refuses a database whose last write was not finished: some of its pages are half written. */
  #refuseJournal(): void {
    const journal = openIfThere(`${this.#path}-journal`, this.fault);
    if (journal === undefined) return;
    const isHot = bytesAt(journal.file, 0, JOURNAL.length).equals(JOURNAL);
    closeSync(journal.file);
    if (isHot)
      throw this.fault(
        'the rollback journal next to it has an unfinished write, which only its program can undo',
      );
  }
}
