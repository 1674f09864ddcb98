import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { FileError } from '../base/errors.ts';
import { NEWLINE } from '../base/json/ascii.ts';
import type { LogForm } from './log-form.ts';
import { LogParser } from './parser.ts';
import type { RowSource } from './row.ts';
import type { LogVisitor } from './visitor.ts';

/**
 * What happened to a followed log, apart from growth. `rewritten`: its earlier content is gone. `taken-back`:
 * only its end is gone, as after a writer's rollback. `removed`: its name is gone. `torn`: the file was replaced,
 * and the old one ended inside a record. `copied`: the new file continues the content of the old one.
 */
export type LogIncident =
  | 'missing'
  | 'appeared'
  | 'truncated'
  | 'rewritten'
  | 'taken-back'
  | 'removed'
  | 'torn'
  | 'copied'
  | 'replaced';

/** Receives the events of a followed log. */
export interface LogFollower extends LogVisitor {
  /** Something happened to the file. Reading starts again if necessary. */
  incident(incident: LogIncident): void | Promise<void>;
  /** Called after each chunk, for example to print. */
  batch(): void | Promise<void>;
  /** Called after each check of the log, when everything is read. Return false to stop. */
  caughtUp(): boolean | Promise<boolean>;
}

/** In milliseconds. After this time without new data, a line that the next one may continue is judged. */
const SETTLE_MS = 2000;

/**
 * The number of bytes before the current position that are kept, to detect whether the file was rewritten and
 * from where.
 */
const REMEMBERED = 64 * 1024;

/** Throws `unreadable` unless it is a file: opening a pipe may block, and it never ends. */
export function requireFile(status: Stats, path: string): void {
  if (status.isFile()) return;
  throw new FileError('unreadable', `${path} is not a file, and cannot be followed`, {
    place: { file: path },
  });
}

export interface Opened {
  readonly handle: FileHandle;
  readonly status: Stats;
}

/** Opens the file that has this name now; undefined if there is none. */
export async function openIfThere(path: string): Promise<Opened | undefined> {
  let handle: FileHandle;
  try {
    // Does not block if a pipe replaces the file at this moment.
    handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const status = await handle.stat();
    requireFile(status, path);
    return { handle, status };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The current file of a followed log. */
export class FollowedFile {
  #handle: FileHandle;
  #inode: number;
  readonly #follower: LogFollower;
  readonly #how: LogForm | RowSource;
  #parser: LogParser;
  #position = 0;
  /** The last bytes before the position, and the modification time when they were read. */
  #remembered = Buffer.alloc(0);
  #changedMs = 0;
  #readMs = Date.now();

  constructor({ handle, status }: Opened, follower: LogFollower, how: LogForm | RowSource) {
    this.#handle = handle;
    this.#inode = status.ino;
    this.#follower = follower;
    this.#how = how;
    this.#parser = new LogParser(how, follower);
  }

  get inode(): number {
    return this.#inode;
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  /** Continues with the file that replaced it: after the content already read, or from the start. */
  async replacedBy({ handle, status }: Opened): Promise<void> {
    await this.close();
    this.#handle = handle;
    this.#inode = status.ino;
    this.#changedMs = status.mtimeMs;
    if (this.#remembered.length > 0 && (await this.#holdsWhatWasRead()))
      await this.#follower.incident('copied');
    else await this.#goBack('replaced');
  }

  /** Reads new data. Holds back an unterminated line, which is still being written. */
  async readOn(): Promise<void> {
    const status = await this.#handle.stat();
    let { size } = status;
    if (size < this.#position) await this.#goBack('truncated');
    else if (await this.#isRewritten(status)) await this.#goBack('rewritten');
    this.#changedMs = status.mtimeMs;
    // If the file is truncated now, the read returns nothing and the next check notices.
    for (let bytesRead = 1; bytesRead > 0 && this.#position < size; ) {
      const room = this.#parser.room();
      const wanted = Math.min(room.length, size - this.#position);
      ({ bytesRead } = await this.#handle.read(room, 0, wanted, this.#position));
      this.#remember(room.subarray(0, bytesRead));
      this.#parser.filled(bytesRead);
      this.#position += bytesRead;
      this.#readMs = Date.now();
      await this.#follower.batch();
      ({ size } = await this.#handle.stat());
    }
    if (this.#parser.isWaiting && Date.now() - this.#readMs >= SETTLE_MS)
      await this.#judge(() => this.#parser.settle());
  }

  /** Judges the rest, including an unterminated line. */
  end(): Promise<void> {
    return this.#judge(() => this.#parser.end());
  }

  async #judge(judge: () => void): Promise<void> {
    judge();
    await this.#follower.batch();
  }

  /** Goes back to the last line that is unchanged, or to the start. */
  async #goBack(incident: LogIncident): Promise<void> {
    const start = this.#position - this.#remembered.length;
    const now = Buffer.alloc(this.#remembered.length);
    const { bytesRead } = await this.#handle.read(now, 0, now.length, start);
    let same = 0;
    while (same < bytesRead && now[same] === this.#remembered[same]) same += 1;
    const kept = same === 0 ? 0 : this.#remembered.lastIndexOf(NEWLINE, same - 1) + 1;
    if (kept === 0) return this.#startAgain(incident);
    let gone = 0;
    for (const byte of this.#remembered.subarray(kept)) if (byte === NEWLINE) gone += 1;
    // An unfinished line was never reported.
    if (gone > 0) await this.#follower.incident('taken-back');
    const { lines } = this.#parser;
    this.#parser = new LogParser(this.#how, this.#follower, { offset: start + kept, lines: lines - gone });
    this.#position = start + kept;
    this.#remembered = this.#remembered.subarray(0, kept);
  }

  async #startAgain(incident: LogIncident): Promise<void> {
    if (incident === 'replaced' && this.#parser.pending > 0) await this.#follower.incident('torn');
    await this.#follower.incident(incident);
    this.#parser = new LogParser(this.#how, this.#follower);
    this.#position = 0;
    this.#remembered = Buffer.alloc(0);
  }

  #remember(bytes: Buffer): void {
    const kept = bytes.length >= REMEMBERED ? bytes : Buffer.concat([this.#remembered, bytes]);
    this.#remembered = Buffer.from(kept.subarray(-REMEMBERED));
  }

  /** Whether a file that changed without becoming shorter lost its earlier content. */
  async #isRewritten({ mtimeMs }: Stats): Promise<boolean> {
    return this.#remembered.length > 0 && mtimeMs !== this.#changedMs && !(await this.#holdsWhatWasRead());
  }

  async #holdsWhatWasRead(): Promise<boolean> {
    const { length } = this.#remembered;
    const now = Buffer.alloc(length);
    const { bytesRead } = await this.#handle.read(now, 0, length, this.#position - length);
    return now.subarray(0, bytesRead).equals(this.#remembered);
  }
}
