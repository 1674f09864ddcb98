import { isUtf8 } from 'node:buffer';
import { isJsonSpace, OPEN_BRACE } from '../base/json/ascii.ts';
import { explainFault } from '../base/json/explain.ts';
import { MAX_DEPTH } from '../base/json/limits.ts';
import { excerptAround, TextPlaces } from '../base/json/place.ts';
import { JsonScanner } from '../base/json/scanner.ts';
import { invalidSequence } from '../base/json/utf8.ts';
import type { Corruption, CorruptionCode } from './corruption.ts';
import { strippedRange } from './strip.ts';

/** A line that is not a record. `bytes[end]` is a newline. */
export interface FaultyLine {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  /** The start of its text, after any byte order mark. */
  readonly textStart: number;
  /** The physical line, from 1. */
  readonly line: number;
  /** The file offset of `start`. */
  readonly offset: number;
  /** Whether the file has a newline here; only the last line may lack it. */
  readonly terminated: boolean;
  /** Whether its bytes are known to be UTF-8. */
  readonly isUtf8?: boolean | undefined;
}

/** Whether the bytes of a line are UTF-8. */
export const isTextUtf8 = ({ isUtf8: isKnown, bytes, start, end }: FaultyLine): boolean =>
  isKnown === true || isUtf8(bytes.subarray(start, end));

const scanner = new JsonScanner();
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

function lineExcerpt({ bytes, start, end }: FaultyLine): string | undefined {
  const range = strippedRange(bytes, start, end);
  const head = bytes.subarray(range.start, Math.min(range.end, range.start + 1024));
  if (!isUtf8(bytes.subarray(range.start, range.end))) return undefined;
  // In characters, as Python counts.
  const characters = [...lenient.decode(head)];
  return characters.length > 160 ? `${characters.slice(0, 157).join('')}...` : characters.join('');
}

/** Shared by all corruptions of a line: a line of a megabyte may have a hundred thousand. */
interface Shared {
  readonly places: TextPlaces;
  readonly lineExcerpt: string | undefined;
}

const sharedBy = (line: FaultyLine): Shared => ({
  places: new TextPlaces(line.bytes, line.start, line.end),
  lineExcerpt: lineExcerpt(line),
});

/**
 * Receives a fault of a line. `describe` makes the excerpts, which costs far more than finding the fault.
 * Call it immediately or never, because the line's bytes are reused.
 */
export type ReportFault = (code: CorruptionCode, line: number, describe: () => Corruption) => void;

/** Makes a corruption of `line` at the buffer's `[from, to)`. */
export function corruptionAt(
  line: FaultyLine,
  code: CorruptionCode,
  message: string,
  from: number,
  to: number,
  { places, lineExcerpt: excerpt }: Shared = sharedBy(line),
): Corruption {
  const { bytes, start, end, offset } = line;
  return {
    code,
    line: line.line,
    column: places.at(from).column,
    byteStart: offset + (from - start),
    byteEnd: offset + (to - start),
    message,
    excerpt: excerptAround(bytes, start, end, from),
    ...(excerpt !== undefined && { lineExcerpt: excerpt }),
  };
}

/** In bytes: the length up to which a loop is faster than a view of the buffer. */
const SHORT = 256;

/**
 * The first offset of a byte in `[from, end)`, or -1. `indexOf` alone would also search the following lines.
 */
function indexBefore(bytes: Buffer, byte: number, from: number, end: number): number {
  // A view costs more than a short line, and a log may have millions of them.
  if (end - from <= SHORT) {
    for (let at = from; at < end; at += 1) if (bytes[at] === byte) return at;
    return -1;
  }
  const index = bytes.subarray(from, end).indexOf(byte);
  return index === -1 ? -1 : from + index;
}

/** Reports each run of NUL bytes. Returns whether there is one. */
function reportNulRuns(line: FaultyLine, report: ReportFault): boolean {
  const { bytes, end } = line;
  const first = indexBefore(bytes, 0, line.start, end);
  if (first === -1) return false;
  let shared: Shared | undefined;
  for (let at = first; at !== -1; at = indexBefore(bytes, 0, at, end)) {
    const from = at;
    while (at < end && bytes[at] === 0) at += 1;
    const to = at;
    report('log/nul-bytes', line.line, () => {
      const length = to - from;
      const message = `${length} NUL byte${length === 1 ? '' : 's'}, as a file system leaves them after a lost write`;
      shared ??= sharedBy(line);
      return corruptionAt(line, 'log/nul-bytes', message, from, to, shared);
    });
  }
  return true;
}

/** Whether one or more whole objects fill the line from `at` to its end. */
function wholeToEnd(bytes: Buffer, at: number, end: number): boolean {
  let from = at;
  while (!scanner.scan(bytes, from, end)) {
    if (scanner.fault !== 'trailing-text' || bytes[scanner.faultAt] !== OPEN_BRACE) return false;
    from = scanner.faultAt;
  }
  return bytes[from] === OPEN_BRACE;
}

function topLevelKeys(bytes: Buffer): Set<string> {
  const keys = new Set<string>();
  for (let index = 0; index < scanner.memberCount * 4; index += 4) {
    keys.add(bytes.toString('utf8', scanner.members[index], scanner.members[index + 1]));
  }
  return keys;
}

/** With fewer keys, an object is not taken for a record. */
const LEAST_KEYS = 3;

/**
 * Whether an object in the place of a value is the next record of the log, although it might be the value. Records share
 * most keys; a value shares few with the record that it is in.
 */
function isNextRecord(torn: ReadonlySet<string>, found: ReadonlySet<string>): boolean {
  const shared = [...torn].filter((key) => found.has(key)).length;
  // A record that was torn early shows few keys, so the next one must show more.
  return shared * 2 >= torn.size && found.size >= Math.max(LEAST_KEYS, 2 * LEAST_KEYS - torn.size);
}

const BEFORE_VALUE: ReadonlySet<number | undefined> = new Set([...':[,'].map((mark) => mark.charCodeAt(0)));

/** Whether the object at an offset may be a value: the last byte before it that is no space asks for one. */
function maybeValue(bytes: Buffer, at: number): boolean {
  let before = at - 1;
  while (isJsonSpace(bytes[before] as number)) before -= 1;
  return BEFORE_VALUE.has(bytes[before]);
}

/**
 * The start of a whole record that follows a torn or whole one on the same line, or -1. Wherever the first
 * one was torn, the scanner fails at or just after the brace of the second. If the second could be a value
 * inside the first, the scanner fails at the end of the line instead, and the second is the last object that
 * closed.
 */
function gluedAt({ bytes, start, end }: FaultyLine): number {
  if (bytes[start] !== OPEN_BRACE) return -1;
  scanner.scan(bytes, start, end);
  const { faultAt } = scanner;
  const tornKeys = topLevelKeys(bytes);
  const candidates: number[] = [];
  if (faultAt >= end) {
    for (
      let at = indexBefore(bytes, OPEN_BRACE, start + 1, end), tries = 0;
      at !== -1 && tries < 64;
      tries += 1
    ) {
      candidates.push(at);
      at = indexBefore(bytes, OPEN_BRACE, at + 1, end);
    }
  } else {
    const before = bytes.subarray(start, faultAt + 1).lastIndexOf(OPEN_BRACE);
    if (before > 0) candidates.push(start + before);
    for (let at = faultAt + 1; at <= faultAt + 6 && at < end; at += 1)
      if (bytes[at] === OPEN_BRACE) candidates.push(at);
  }
  for (const at of candidates) {
    if (!wholeToEnd(bytes, at, end)) continue;
    const keys = topLevelKeys(bytes);
    if (keys.size > 0 && (!maybeValue(bytes, at) || isNextRecord(tornKeys, keys))) return at;
  }
  return -1;
}

const ARTICLES: Record<string, string> = {
  '[': 'an array',
  '"': 'a string',
  t: 'a boolean',
  f: 'a boolean',
  n: 'null',
};

/** Describes a line that is JSON and no object. `found`: the scanner that read it. */
export function notObject(line: FaultyLine, { valueStart, valueEnd }: JsonScanner): Corruption {
  const kind = ARTICLES[String.fromCharCode(line.bytes[valueStart] as number)] ?? 'a number';
  return corruptionAt(line, 'log/not-object', `expected a JSON object, got ${kind}`, valueStart, valueEnd);
}

/**
 * Reports what is wrong with a line, in the order of preference of findings.md: NUL bytes, torn last line,
 * invalid UTF-8, glued records, invalid JSON. Reports one fault, or one per run of NULs. Returns the start of a glued record.
 */
export function diagnose(line: FaultyLine, report: ReportFault): number | undefined {
  const { bytes, start, textStart, end } = line;
  if (reportNulRuns(line, report)) return undefined;
  const fault = (code: CorruptionCode, message: string, from: number, to: number): undefined => {
    report(code, line.line, () => corruptionAt(line, code, message, from, to));
  };

  const range = strippedRange(bytes, textStart, end);
  const whole = scanWithin(bytes, range.start, range.end);
  if (scanner.fault === 'too-deep') {
    const { faultAt } = scanner;
    return fault('log/too-deep', `nested deeper than ${MAX_DEPTH} levels`, faultAt, faultAt + 1);
  }
  if (scanner.fault === 'too-many-values') {
    const message = `${explainFault(scanner, bytes, end)}; more are refused`;
    return fault('log/too-many-values', message, scanner.faultAt, scanner.faultAt + 1);
  }
  if (!whole && !line.terminated) {
    const message = `the last record breaks off after ${end - textStart} byte${end - textStart === 1 ? '' : 's'}: it has no newline and is not complete JSON`;
    return fault('log/truncated', message, textStart, end);
  }
  if (!isTextUtf8(line)) {
    const { from, to } = invalidSequence(bytes, start, end);
    const hex = bytes.toString('hex', from, to).replace(/(..)(?=.)/g, '$1 ');
    return fault('log/invalid-utf8', `invalid UTF-8: byte sequence ${hex}`, from, to);
  }
  if (whole) {
    if (bytes[scanner.valueStart] !== OPEN_BRACE) {
      report('log/not-object', line.line, () => notObject(line, scanner));
      return undefined;
    }
    const from = scanner.nonFiniteAt;
    const word = bytes.toString('latin1', from, from + 9).replace(/^(-?\w+).*/s, '$1');
    const message = `\`${word}\` is not JSON; Python writes it, and other readers refuse the record`;
    return fault('log/non-finite', message, from, from + word.length);
  }

  const glued = gluedAt({ ...line, start: range.start });
  if (glued !== -1) {
    const message = 'a second record begins here, on the same line';
    fault('log/glued-records', message, glued, end);
    return glued;
  }
  report('log/invalid-json', line.line, () => {
    scanWithin(bytes, range.start, range.end);
    const { faultAt } = scanner;
    const token =
      /^\w+/.exec(bytes.toString('latin1', faultAt, Math.min(end, faultAt + 20)))?.[0].length ?? 1;
    const message = `not JSON: ${explainFault(scanner, bytes, end)}`;
    return corruptionAt(line, 'log/invalid-json', message, faultAt, Math.min(end, faultAt + token));
  });
  return undefined;
}

/** Scans a range inside a line. Temporarily writes the newline that the scanner needs after it. */
export function scanWithin(bytes: Buffer, start: number, end: number, by: JsonScanner = scanner): boolean {
  const kept = bytes[end] as number;
  bytes[end] = 0x0a;
  try {
    return by.scan(bytes, start, end);
  } finally {
    bytes[end] = kept;
  }
}
