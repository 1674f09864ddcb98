import { closeSync, fstatSync, readSync, type Stats, statSync } from 'node:fs';
import { LogError, type NoesisError } from '../base/errors.ts';
import { handleToRead, openToRead } from '../base/files/open-file.ts';
import type { JsonObject } from '../base/json/value.ts';
import { YIELD_MS, Yielder } from '../base/time/yielder.ts';
import type { Corruption } from './corruption.ts';
import { EventLogIntegrityError } from './integrity-error.ts';
import type { LogForm } from './log-form.ts';
import { LogParser } from './parser.ts';
import type { LogRecord } from './record.ts';
import type { RowSource } from './row.ts';
import type { LogVisitor } from './visitor.ts';

/** Identifies a file, even if another takes its name. */
export type FileId = Pick<Stats, 'dev' | 'ino'>;

export const isSameFile = (a: FileId, b: FileId): boolean => a.dev === b.dev && a.ino === b.ino;

/** What a pass over a log found, apart from its records. */
export interface LogExtent {
  /** The number of bytes read: the length of the file at the start. */
  readonly bytes: number;
  /** Physical lines, including blank and corrupt ones. */
  readonly lines: number;
  readonly blankLines: number;
  readonly records: number;
  readonly corruptions: number;
  /** The last record is complete but has no newline. */
  readonly missingFinalNewline: boolean;
  /** The file grew while it was read. */
  readonly grew: boolean;
  /** How the file changed while it was read, in a few words. */
  readonly changed?: string;
  readonly file: FileId;
  /** No line is corrupt and the file did not change, so nothing is missing. */
  readonly whole: boolean;
}

export interface FileVisitor extends LogVisitor {
  /** Receives the raw bytes in order, for hashing. Their memory is reused after the call. */
  bytes?(chunk: Buffer): void;
  /**
   * Called between chunks, about every mebibyte, with the number of bytes read. Its result is awaited;
   * `false` ends the reading.
   */
  between?(bytes: number): Promise<boolean | undefined> | boolean | undefined;
}

const MIN_CAPACITY = 1024;
const MAX_CAPACITY = 1024 * 1024;

/** The minimum chunk size, even for a slow visitor. */
const LEAST = 64 * 1024;

async function readInto(
  file: number,
  parser: LogParser,
  end: number,
  visitor: FileVisitor,
): Promise<boolean> {
  let position = 0;
  let most = MAX_CAPACITY;
  const yielder = new Yielder();
  // If the file is truncated now, the read returns nothing and the loop ends.
  for (let count = 1; position < end && count > 0; ) {
    const began = Date.now();
    const room = parser.room();
    count = readSync(file, room, 0, Math.min(room.length, most, end - position), position);
    visitor.bytes?.(room.subarray(0, count));
    parser.filled(count);
    position += count;
    if ((await visitor.between?.(position)) === false) return false;
    const took = Date.now() - began;
    // With a slow visitor a mebibyte would take longer than a turn.
    if (took > YIELD_MS) most = Math.max(LEAST, most / 2);
    else if (took < YIELD_MS / 4) most = Math.min(MAX_CAPACITY, most * 2);
    if (yielder.isDue) await yielder.yield();
  }
  return true;
}

/** How an open file changed, given the expected and the actual number of bytes. */
function changeOf(path: string, now: Stats, promised: number, read: number): string | undefined {
  const left = Math.min(now.size, read);
  if (left < promised) return `it was truncated from ${promised} to ${left} bytes`;
  const there = statSync(path, { throwIfNoEntry: false });
  if (there === undefined) return 'it was removed';
  return isSameFile(there, now) ? undefined : 'another file replaced it';
}

/** The error for a log that changed while it was read. */
export function logChanged(path: string, how: string): NoesisError {
  return new LogError('log-changed', `${path} changed while it was read: ${how}`, {
    place: { file: path },
    hint: 'run the command again; tail -f follows a log that is truncated or replaced',
  });
}

/** The error for a log that was intact and has a corrupt line when it is read again. */
export const damagedSince = (path: string): NoesisError =>
  logChanged(path, 'it was intact, and now has a damaged line');

/** Throws `log-changed` if the file changed while it was read. */
export function requireUnchanged(path: string, { changed }: LogExtent): void {
  if (changed !== undefined) throw logChanged(path, changed);
}

/**
 * Reads a log once, from its start to its current length, and passes every record and corruption to the
 * visitor in file order. `how`: the form of its records, or the source that makes rows of them. Memory use does
 * not depend on the length. If the file grows meanwhile, the new part is not read and `grew` is set; an
 * unterminated last line then counts as still being written. Throws the file system's error if the file cannot
 * be opened or read.
 */
export async function readLog(
  path: string,
  how: LogForm | RowSource,
  visitor: FileVisitor,
): Promise<LogExtent> {
  // Synchronous reads: a trip through the thread pool takes longer than reading a mebibyte.
  const file = openToRead(path);
  try {
    const { size } = fstatSync(file);
    // A small buffer for a small file, because there may be thousands.
    const capacity = Math.min(MAX_CAPACITY, Math.max(size, MIN_CAPACITY));
    const parser = new LogParser(how, visitor, { capacity });
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

/** An event with its line number. */
export interface NumberedEvent {
  /** The physical line, from 1. */
  readonly line: number;
  readonly event: JsonObject;
}

/**
 * Yields the wanted events of a log with their line numbers, lazily and in order (docs/formats/noesis.md §3).
 * Throws {@link EventLogIntegrityError} at the first corrupt record, after the good ones before it.
 */
export async function* iterNumberedEvents(
  path: string,
  form: LogForm,
  isWanted: (record: LogRecord) => boolean = () => true,
): AsyncGenerator<NumberedEvent, void, void> {
  const handle = await handleToRead(path);
  try {
    const { size: promised } = await handle.stat();
    let batch: NumberedEvent[] = [];
    let corruption: Corruption | undefined;
    const parser = new LogParser(form, {
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
          throw logChanged(path, `it was truncated from ${promised} to ${parser.bytes} bytes`);
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
