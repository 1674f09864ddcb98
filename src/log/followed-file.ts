import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { FileError } from '../errors.ts';
import { NEWLINE } from '../json/ascii.ts';
import { LogParser } from './parser.ts';
import type { RowSource } from './row.ts';
import type { LogVisitor } from './visitor.ts';

/**
 * What can happen to a log that is followed, other than that it grows. `rewritten`: what has been read is gone;
 * `taken-back`: the last of what has been read is, as when a writer undoes what one that died has left; `removed`: its
 * name is gone; `torn`: the file that was replaced ended in the middle of a record; `copied`: the file that replaced it
 * holds what has been read, and goes on from there.
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

/** Who hears of a followed log. */
export interface LogFollower extends LogVisitor {
  /** Something happened to the file; reading starts anew where that makes sense. */
  incident(incident: LogIncident): void | Promise<void>;
  /** A piece of what is there has been read: the moment to print it. */
  batch(): void | Promise<void>;
  /** All that is there has been read, now. Called each time the log is looked at. Return false to end. */
  caughtUp(): boolean | Promise<boolean>;
}

/** A line that may go on in the next one is judged when nothing has come for so long. */
const SETTLE_MS = 2000;

/** So many bytes before the place that has been read tell whether the file was written anew, and how far it was not. */
const REMEMBERED = 64 * 1024;

/** Throws `unreadable` for what is no file: to open a pipe may take for ever, and its end never comes. */
export function requireFile(status: Stats, path: string): void {
  if (status.isFile()) return;
  throw new FileError('unreadable', `${path} is no file, and cannot be followed`, {
    place: { file: path },
  });
}

/** A file that was just opened. */
export interface Opened {
  readonly handle: FileHandle;
  readonly status: Stats;
}

/** The file that has this name now; undefined where there is none. */
export async function openIfThere(path: string): Promise<Opened | undefined> {
  let handle: FileHandle;
  try {
    // A pipe that takes the place of the file this very moment is not waited for.
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

/** The file of a followed log that is being read. */
export class FollowedFile {
  #handle: FileHandle;
  #inode: number;
  readonly #follower: LogFollower;
  readonly #rows: RowSource | undefined;
  #parser: LogParser;
  #position = 0;
  /** The last bytes before the position, and when the file had last been changed then. */
  #remembered = Buffer.alloc(0);
  #changedMs = 0;
  #readMs = Date.now();

  constructor({ handle, status }: Opened, follower: LogFollower, rows: RowSource | undefined) {
    this.#handle = handle;
    this.#inode = status.ino;
    this.#follower = follower;
    this.#rows = rows;
    this.#parser = new LogParser(follower, { rows });
  }

  get inode(): number {
    return this.#inode;
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  /** Goes on in the file that has taken its name: behind what of it has been read, or from its start. */
  async replacedBy({ handle, status }: Opened): Promise<void> {
    await this.close();
    this.#handle = handle;
    this.#inode = status.ino;
    this.#changedMs = status.mtimeMs;
    if (this.#remembered.length > 0 && (await this.#holdsWhatWasRead()))
      await this.#follower.incident('copied');
    else await this.#goBack('replaced');
  }

  /** Reads what is new. A line without its newline is held back: it is still being written. */
  async readOn(): Promise<void> {
    const status = await this.#handle.stat();
    let { size } = status;
    if (size < this.#position) await this.#goBack('truncated');
    else if (await this.#isRewritten(status)) await this.#goBack('rewritten');
    this.#changedMs = status.mtimeMs;
    // A file that is cut this very moment gives nothing: the next look sees that it is shorter.
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

  /** Judges what is left, a line without its newline too: no more will come. */
  end(): Promise<void> {
    return this.#judge(() => this.#parser.end());
  }

  async #judge(judge: () => void): Promise<void> {
    judge();
    await this.#follower.batch();
  }

  /** Goes on behind the last line that is still what was read, or from the start where there is none. */
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
    // What was held back as unfinished has not been told of.
    if (gone > 0) await this.#follower.incident('taken-back');
    const { lines } = this.#parser;
    this.#parser = new LogParser(this.#follower, {
      rows: this.#rows,
      offset: start + kept,
      lines: lines - gone,
    });
    this.#position = start + kept;
    this.#remembered = this.#remembered.subarray(0, kept);
  }

  async #startAgain(incident: LogIncident): Promise<void> {
    if (incident === 'replaced' && this.#parser.pending > 0) await this.#follower.incident('torn');
    await this.#follower.incident(incident);
    this.#parser = new LogParser(this.#follower, { rows: this.#rows });
    this.#position = 0;
    this.#remembered = Buffer.alloc(0);
  }

  #remember(bytes: Buffer): void {
    const kept = bytes.length >= REMEMBERED ? bytes : Buffer.concat([this.#remembered, bytes]);
    this.#remembered = Buffer.from(kept.subarray(-REMEMBERED));
  }

  /** Whether a file that was changed and is not shorter no longer holds what has been read of it. */
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
