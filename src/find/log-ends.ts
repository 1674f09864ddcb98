import { isAscii, isUtf8 } from 'node:buffer';
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { isFileError, isNothing } from '../base/errors.ts';
import { canBeOpened } from '../base/files/open-file.ts';
import { CLOSE_BRACE, NEWLINE } from '../base/json/ascii.ts';
import { jsonIn } from '../base/json/parse.ts';
import { isObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import { later } from '../base/time/instant.ts';
import type { Dialect, DialectName } from '../dialects/dialect.ts';
import { type Abridge, type LineOfLog, textAfter } from '../dialects/kit/log-summary.ts';
import { FIRST_RECORDS } from '../dialects/kit/run-start.ts';
import { requireDialect } from '../dialects/kit/sample.ts';
import { detectDialect, dialectFor, formOfAny } from '../dialects/registry.ts';
import { linesBackwards } from '../log/backwards.ts';
import { bytesBetween } from '../log/bytes-between.ts';
import { blocksForwards, linesForwards } from '../log/forwards.ts';
import { textOfLine } from '../log/line-text.ts';
import type { LogForm } from '../log/log-form.ts';
import { wholeRecordsOn } from '../log/whole-records.ts';

// Synchronous on purpose, like the summaries that are made from it.

/** A log, and what its first records show. */
export interface Sampled {
  readonly path: string;
  readonly size: number;
  readonly head: Buffer;
  readonly records: readonly JsonObject[];
  readonly dialect: Dialect;
}

/** In bytes: how much is read from each end of a log. */
export const END = 64 * 1024;

/** An end of a file, from an offset. Throws if it cannot be read. */
export const endFrom = (path: string, from: number): Buffer => bytesBetween(path, from, from + END);

/**
 * Reads the start of a log; undefined if the log does not exist. `named`: the dialect that the user named. Throws if it cannot
 * be read.
 */
export function sampled(path: string, named?: DialectName): Sampled | undefined {
  try {
    const status = statSync(path);
    if (!canBeOpened(status) || status.isDirectory()) return undefined;
    const head = endFrom(path, 0);
    const records = eventsIn(head, formOfAny(), FIRST_RECORDS);
    const dialect =
      named === undefined
        ? detectDialect({ fileName: basename(path), records, path })
        : requireDialect(named);
    return { path, size: status.size, head, records, dialect: dialectFor(dialect, path) };
  } catch (error) {
    if (isNothing(error)) return undefined;
    throw error;
  }
}

/** The record on a line; undefined if it has none. `isFirst`: a byte order mark may be before it. */
function recordOn(line: Buffer, { newest }: LogForm, isFirst: boolean): JsonObject | undefined {
  const text = textOfLine(line, isFirst);
  const event = text ? jsonIn(text) : undefined;
  if (!isObject(event)) return undefined;
  return newest ? newest(event) : event;
}

/** The records in a part of a log, at most as many as wanted. */
export function eventsIn(
  bytes: Buffer,
  form: LogForm,
  most = Number.POSITIVE_INFINITY,
  isHead = true,
): JsonObject[] {
  const events: JsonObject[] = [];
  for (let from = 0; from < bytes.length && events.length < most; ) {
    const newline = bytes.indexOf(NEWLINE, from);
    const to = newline === -1 ? bytes.length : newline;
    const event = recordOn(bytes.subarray(from, to), form, isHead && from === 0);
    if (event !== undefined) events.push(event);
    from = to + 1;
  }
  return events;
}

/** The records in the end of a log, from the last to the first, parsed on demand. */
export function* eventsOfEnd(bytes: Buffer, form: LogForm): Generator<JsonObject, void, void> {
  for (let to = bytes.length; to > 0; ) {
    const newline = bytes.lastIndexOf(NEWLINE, to - 1);
    const event = recordOn(bytes.subarray(newline + 1, to), form, false);
    if (event !== undefined) yield event;
    to = newline;
  }
}

/** At least this many lines are read backwards, because one line may have more bytes than should be read. */
const FEW_LINES = 16;

export function* recordsBackwards(
  path: string,
  { form: { newest } }: Dialect,
  most = Number.POSITIVE_INFINITY,
  isWanted: (line: string) => boolean = () => true,
): Generator<JsonObject, void, void> {
  let bytes = 0;
  let lines = 0;
  for (const line of linesBackwards(path)) {
    const event = isWanted(line) ? jsonIn(line) : undefined;
    if (isObject(event)) yield newest ? newest(event) : event;
    lines += 1;
    bytes += Buffer.byteLength(line) + 1;
    if (bytes >= most && lines >= FEW_LINES) return;
  }
}

/** In bytes: an abridged record is made from this much of its line. */
const LINE_START = 1024;

/** Whether lines may be damaged, as far as that shows without parsing them: NUL bytes, two records, bytes that are not UTF-8. */
const isSuspect = (lines: Buffer): boolean => lines.includes(0) || lines.includes('}{"') || !isUtf8(lines);

/** The value of a text. JSON.parse is safe: a list shows no member whose key an engine may misread. */
function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Whether a line has no text, as a full reader of the log sees it. */
const isBlank = (line: Buffer): boolean => textOfLine(line, false) === '';

/** The end of a log, whose records are not abridged: it starts at a byte, and all of its records are given to `record`. */
interface WholeEnd {
  readonly from: number;
  record(event: JsonObject): void;
}

/** Many lines at once are searched for damage, which is several times as fast as one by one. */
export function* recordsForwards(
  path: string,
  { takesGlued }: LogForm,
  abridge: Abridge,
  end?: WholeEnd,
): Generator<LineOfLog, number, void> {
  let [line, lost, offset] = [0, 0, 0];
  for (const block of blocksForwards(path)) {
    const [isPlain, mayBeDamaged] = [isAscii(block), isSuspect(block)];
    for (let [from, to] = [0, 0]; from <= block.length; from = to + 1) {
      const newline = block.indexOf(NEWLINE, from);
      to = newline === -1 ? block.length : newline;
      line += 1;
      const [first, last] = [from, to];
      const bytes = () => block.subarray(first, last);
      const isEnd = end !== undefined && offset + from >= end.from;
      const beginning = block.toString('latin1', from, Math.min(to, from + LINE_START));
      // The first records say when a session started, so they are read whole.
      // A line without its end is no record.
      const mayBeShort =
        line > FIRST_RECORDS &&
        !isEnd &&
        block[to - 1] === CLOSE_BRACE &&
        !(mayBeDamaged && isSuspect(bytes()));
      const has = (text: string) => bytes().includes(text);
      const after: Parameters<Abridge>[3] = (mark, which) => textAfter(bytes(), mark, which);
      const short = mayBeShort ? abridge(beginning, line, has, after) : undefined;
      const text = () => (to - from <= LINE_START ? beginning : block.toString('latin1', from, to));
      // A full reader accepts more white space around a record than JSON does.
      const event =
        short ?? (isPlain ? parsed(text()) : undefined) ?? parsed(textOfLine(bytes(), line === 1) ?? '');
      if (isObject(event)) {
        if (isEnd) end.record(event);
        yield { line, event };
      } else if (!isBlank(bytes())) {
        lost += 1;
        yield { line };
        for (const whole of takesGlued ? wholeRecordsOn(bytes()) : []) {
          if (isEnd) end.record(whole);
          yield { line, event: whole };
        }
      }
    }
    offset += block.length + 1;
  }
  return lost;
}

/** The first record that is wanted, of the lines that contain a text. */
export function firstRecordWith(
  path: string,
  { form: { newest } }: Dialect,
  text: string,
  isWanted: (event: JsonObject) => boolean,
): JsonObject | undefined {
  const mark = Buffer.from(text);
  let isFirst = true;
  for (const bytes of linesForwards(path)) {
    const event = bytes.includes(mark) ? jsonIn(textOfLine(bytes, isFirst) ?? '') : undefined;
    const found = isObject(event) ? (newest?.(event) ?? event) : undefined;
    if (found !== undefined && isWanted(found)) return found;
    isFirst = false;
  }
  return undefined;
}

/** The last time that an event states: its own, or that of the end of its work. */
export function lastTimeOfEvent(event: JsonObject, dialect: Dialect): string | undefined {
  const time = dialect.eventTime(event);
  if (time === undefined) return undefined;
  return later(later(time, dialect.endTime?.(event)), dialect.span?.(event).end);
}

/** The search for a time ends after this many records without one. */
const MAX_WITHOUT_TIME = 100;

/** The time of the last record that has one. */
function lastTime(backwards: Iterable<JsonObject>, dialect: Dialect): string | undefined {
  let looked = 0;
  for (const event of backwards) {
    const time = lastTimeOfEvent(event, dialect);
    if (time !== undefined || ++looked === MAX_WITHOUT_TIME) return time;
  }
  return undefined;
}

/** The records in the last part of a log. */
export const tailOf = ({ path, size, dialect }: Sampled): JsonObject[] =>
  eventsIn(endFrom(path, Math.max(0, size - END)), dialect.form, undefined, size <= END);

/** The latest time of some records. */
export class LatestTime {
  readonly #dialect: Dialect;
  time: string | undefined;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  add(event: JsonObject): void {
    this.time = later(this.time, lastTimeOfEvent(event, this.#dialect));
  }
}

/**
 * When a run was last active: the latest time in the end of its log, because a program may write older records again, else
 * the last time before it. `tail`: the records in the last part of the log.
 */
export function lastTimeOf({ path, dialect }: Sampled, tail: readonly JsonObject[]): string | undefined {
  const latest = new LatestTime(dialect);
  for (const event of dialect.isUnordered ? recordsBackwards(path, dialect) : tail) latest.add(event);
  return latest.time ?? lastTime(recordsBackwards(path, dialect), dialect);
}

/** When the run of a log was last active; undefined without a time, or if the log cannot be read. */
export function lastTimeIn(log: string): string | undefined {
  try {
    const sample = sampled(log);
    return sample && lastTimeOf(sample, tailOf(sample));
  } catch (error) {
    if (isFileError(error)) return undefined;
    throw error;
  }
}
