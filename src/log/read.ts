import { closeSync, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { LogError, type NoesisError } from '../errors.ts';
import type { JsonObject } from '../json/value.ts';
import { TURN_MS, Turns } from '../time/turns.ts';
import type { Corruption } from './corruption.ts';
import { EventLogIntegrityError } from './integrity-error.ts';
import { LogParser } from './parser.ts';
import type { LogRecord } from './record.ts';
import type { RowSource } from './row.ts';
import type { LogVisitor } from './visitor.ts';

/** What tells a file from another that takes its place. */
export type FileId = Pick<Stats, 'dev' | 'ino'>;

/** Whether two are the same file. */
export const isSameFile = (a: FileId, b: FileId): boolean => a.dev === b.dev && a.ino === b.ino;

/** What a pass over a log found, beyond its records. */
export interface LogExtent {
  /** Bytes read: the length of the file when the reading began. */
  readonly bytes: number;
  /** Physical lines, blank and corrupt ones too. */
  readonly lines: number;
  readonly blankLines: number;
  readonly records: number;
  readonly corruptions: number;
  /** The last record is whole and lacks its newline. */
  readonly missingFinalNewline: boolean;
  /** The file was longer at the end of the reading than at its start. */
  readonly grew: boolean;
  /** What became of the file while it was read, in a few words, where it is no longer the one that was opened. */
  readonly changed?: string;
  /** Which file it was. */
  readonly file: FileId;
  /** No line is corrupt, and the file is the one that was opened: nothing can be missing in between. */
  readonly whole: boolean;
}

/** A visitor of a whole file. */
export interface FileVisitor extends LogVisitor {
  /** The raw bytes in their order, for hashing. The memory is reused after the call. */
  bytes?(chunk: Buffer): void;
  /**
   * Called between chunks, every mebibyte or so, with the bytes read so far: what it returns is awaited, and `false`
   * ends the reading.
   */
  between?(bytes: number): Promise<boolean | undefined> | boolean | undefined;
  /** Makes a row of each record. */
  readonly rows?: RowSource | undefined;
}

const MIN_CAPACITY = 1024;
const MAX_CAPACITY = 1024 * 1024;

/** So much is read at a time at least, however long its records take. */
const LEAST = 64 * 1024;

/** The bytes of a file between two offsets; fewer where it has been cut. */
export function bytesBetween(path: string, from: number, to: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.allocUnsafe(to - from);
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from));
  } finally {
    closeSync(file);
  }
}

async function readInto(
  file: number,
  parser: LogParser,
  end: number,
  visitor: FileVisitor,
): Promise<boolean> {
  let position = 0;
  let most = MAX_CAPACITY;
  const turns = new Turns();
  // A file that is cut this very moment gives nothing: what was read so far is what there is.
  for (let count = 1; position < end && count > 0; ) {
    const began = performance.now();
    const room = parser.room();
    count = readSync(file, room, 0, Math.min(room.length, most, end - position), position);
    visitor.bytes?.(room.subarray(0, count));
    parser.filled(count);
    position += count;
    if ((await visitor.between?.(position)) === false) return false;
    const took = performance.now() - began;
    // Where the visitor is slow, a mebibyte would take longer than a turn.
    if (took > TURN_MS) most = Math.max(LEAST, most / 2);
    else if (took < TURN_MS / 4) most = Math.min(MAX_CAPACITY, most * 2);
    if (turns.isDue) await turns.give();
  }
  return true;
}

/** What became of an open file, of which so many bytes were promised and so many could be read. */
function changeOf(path: string, now: Stats, promised: number, read: number): string | undefined {
  const left = Math.min(now.size, read);
  if (left < promised) return `it was cut from ${promised} to ${left} bytes`;
  const there = statSync(path, { throwIfNoEntry: false });
  if (there === undefined) return 'it was removed';
  return isSameFile(there, now) ? undefined : 'another file took its place';
}

/** That a log changed while it was read, and how. */
export function logChanged(path: string, how: string): NoesisError {
  return new LogError('log-changed', `${path} changed while it was read: ${how}`, {
    place: { file: path },
    hint: 'run the command again; tail -f follows a log that is cut or replaced',
  });
}

/** What is thrown where a log that was read whole has a corrupt line when it is read again: none is left out unsaid. */
export const damagedSince = (path: string): NoesisError =>
  logChanged(path, 'it was whole, and has a corrupt line now');

/** Throws `log-changed` where the file that was read is not the one that was opened. */
export function requireUnchanged(path: string, { changed }: LogExtent): void {
  if (changed !== undefined) throw logChanged(path, changed);
}

/**
 * Reads a log once, from its start to the length it has now, and hands every record and every corruption to the
 * visitor in the order of the file. Memory stays flat whatever the length. What the file gains meanwhile is left
 * alone and said in `grew`; when it grew, a last line without a newline is one still being written, and is no
 * finding. Throws the error of the file system when the file cannot be opened or read.
 */
export async function readLog(path: string, visitor: FileVisitor): Promise<LogExtent> {
  // Synchronous reads: a turn through the thread pool takes longer than a mebibyte, or a small file.
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    // A small file gets a small buffer: there may be thousands of them.
    const capacity = Math.min(MAX_CAPACITY, Math.max(size, MIN_CAPACITY));
    const parser = new LogParser(visitor, { rows: visitor.rows, capacity });
    const toTheEnd = await readInto(file, parser, size, visitor);
    const now = fstatSync(file);
    const grew = now.size > size;
    if (toTheEnd && !grew) parser.end();
    const { bytes, lines, blankLines, records, corruptions, missingFinalNewline } = parser;
    const changed = toTheEnd ? changeOf(path, now, size, bytes) : undefined;
    const whole = corruptions === 0 && changed === undefined;
    const extent = { bytes, lines, blankLines, records, corruptions, missingFinalNewline, grew, whole };
    return { ...extent, file: { dev: now.dev, ino: now.ino }, ...(changed !== undefined && { changed }) };
  } finally {
    closeSync(file);
  }
}

/** An event of a log with the line it stands on. */
export interface NumberedEvent {
  /** Physical line from 1. */
  readonly line: number;
  readonly event: JsonObject;
}

/**
 * The events of a log with their line numbers, read lazily in the order of the file (docs/formats/noesis.md §3); only
 * those that are wanted. Throws {@link EventLogIntegrityError} at the first corrupt record, after the good ones before it.
 */
export async function* iterNumberedEvents(
  path: string,
  isWanted: (record: LogRecord) => boolean = () => true,
): AsyncGenerator<NumberedEvent, void, void> {
  const handle = await open(path, 'r');
  try {
    const { size: promised } = await handle.stat();
    let batch: NumberedEvent[] = [];
    let corruption: Corruption | undefined;
    const parser = new LogParser({
      record: (record) => {
        if (!corruption && isWanted(record)) batch.push({ line: record.line, event: record.value });
      },
      corrupt: (found) => {
        corruption ??= found;
      },
    });
    for (let ended = false; !ended; ) {
      const room = parser.room();
      const { bytesRead } = await handle.read(room, 0, room.length, null);
      if (bytesRead > 0) parser.filled(bytesRead);
      else {
        if (parser.bytes < promised)
          throw logChanged(path, `it was cut from ${promised} to ${parser.bytes} bytes`);
        parser.end();
        ended = true;
      }
      yield* batch;
      batch = [];
      if (corruption) throw new EventLogIntegrityError(path, corruption);
    }
  } finally {
    await handle.close();
  }
}
