import { isUtf8 } from 'node:buffer';
import { closeSync, readSync } from 'node:fs';
import { openToRead } from '../../../../base/files/open-file.ts';
import { NEWLINE, OPEN_BRACE } from '../../../../base/json/ascii.ts';
import { JsonScanner } from '../../../../base/json/scanner.ts';
import { isObject, type JsonObject } from '../../../../base/json/value.ts';
import type { Corruption } from '../../../../log/corruption.ts';
import { diagnose } from '../../../../log/diagnose.ts';
import { strippedRange } from '../../../../log/strip.ts';
import type { FileLine, LoadingRules, Skipped } from './model.ts';

const PIECE = 1024 * 1024;

/** The lines of a log in memory. */
export function* linesOf(bytes: Uint8Array): Generator<FileLine, void, void> {
  let line = 0;
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline < 0 ? bytes.length : newline;
    line += 1;
    yield { line, start, end, bytes: bytes.subarray(start, end), isEnded: newline >= 0 };
    start = end + 1;
  }
}

/** The lines of a file, read piece by piece. */
export function* linesOfFile(path: string): Generator<FileLine, void, void> {
  const file = openToRead(path);
  try {
    let rest = Buffer.alloc(0);
    let [line, at] = [0, 0];
    for (;;) {
      const piece = Buffer.allocUnsafe(PIECE);
      const count = readSync(file, piece, 0, PIECE, null);
      rest = Buffer.concat([rest, piece.subarray(0, count)]);
      let from = 0;
      for (let to = rest.indexOf(NEWLINE); to >= 0; to = rest.indexOf(NEWLINE, from)) {
        line += 1;
        yield { line, start: at + from, end: at + to, bytes: rest.subarray(from, to), isEnded: true };
        from = to + 1;
      }
      at += from;
      rest = rest.subarray(from);
      if (count > 0) continue;
      if (rest.length > 0)
        yield { line: line + 1, start: at, end: at + rest.length, bytes: rest, isEnded: false };
      return;
    }
  } finally {
    closeSync(file);
  }
}

/** Bytes as text, a character per byte: enough to search for words of a format. */
export const bytesText = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');

const scanner = new JsonScanner();
const BYTE_ORDER_MARK = '\uFEFF';

/** The objects that fill a line one after the other; undefined if anything else is between them. */
export function objectsThatFill(bytes: Uint8Array): [from: number, to: number][] | undefined {
  const found: [number, number][] = [];
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at];
    if (byte === 0x20 || byte === 0x09 || byte === 0x0d) {
      at += 1;
      continue;
    }
    if (byte !== OPEN_BRACE) return undefined;
    const isWhole = scanner.scan(bytes, at, bytes.length);
    if (!isWhole && scanner.fault !== 'trailing-text') return undefined;
    found.push([at, scanner.valueEnd]);
    at = scanner.valueEnd;
  }
  return found;
}

/** How a program reads a line. */
export interface LineHabits {
  /** It takes several records on one line apart. */
  readonly splits?: boolean;
  /** It ignores NUL bytes before a record. */
  readonly ignoresNul?: boolean;
  /** It ends a line at U+2028 and U+2029, too. */
  readonly endsAtSeparators?: boolean;
  /** It refuses bytes that are not UTF-8. */
  readonly isStrictUtf8?: boolean;
  /** It refuses halves of surrogate pairs. */
  readonly refusesHalves?: boolean;
  /** It ignores a byte order mark at the start of the file. */
  readonly ignoresMark?: boolean;
}

/** What a program finds on a line. */
export interface LineContent {
  readonly values: readonly JsonObject[];
  /** Why it cannot use the line, or a piece of it. */
  readonly fault?: string;
  /** The records on the line, if it has several and cannot be used: the first may be torn. */
  readonly pieces?: readonly Uint8Array[];
}

const BLANK: LineContent = { values: [] };

function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A line that the program cannot use, for this reason. */
export const skippedLine = (
  { line, bytes }: FileLine,
  message: string,
  looksSaid: LoadingRules['looksSaid'],
  pieces: LineContent['pieces'] = [bytes],
): Skipped => ({
  line,
  message,
  parts: pieces.filter((piece) => looksSaid(bytesText(piece))).length,
});

/** What `verify` says of the line. What only `verify` accepts has reasons here. */
function faultOf(text: string, isEnded: boolean): Pick<LineContent, 'fault' | 'pieces'> {
  if (text.startsWith(BYTE_ORDER_MARK)) return { fault: 'a byte order mark before the record' };
  const bytes = Buffer.from(`${text}\n`);
  const end = bytes.length - 1;
  const stripped = strippedRange(bytes, 0, end);
  if (recordIn(bytes.toString('utf8', stripped.start, stripped.end)).length > 0)
    return { fault: 'white space around the record that JSON does not allow' };
  const line = { bytes, start: 0, end, textStart: 0, line: 1, offset: 0, terminated: isEnded };
  let found: Corruption | undefined;
  diagnose(line, (_code, _line, describe) => {
    found ??= describe();
  });
  if (found === undefined) return { fault: 'not JSON' };
  const { code, byteStart, message } = found;
  if (code !== 'log/glued-records') return { fault: message };
  const rest = bytes.subarray(byteStart, end);
  const others = (objectsThatFill(rest) ?? [[0, rest.length]]).map(([from, to]) => rest.subarray(from, to));
  return { fault: message, pieces: [bytes.subarray(0, byteStart), ...others] };
}

/** Whether a text has a half of a surrogate pair, also in an escape. */
function hasHalf(text: string): boolean {
  return JSON.stringify(text).includes('\\ud') || /\\u[dD][89a-fA-F]/.test(text.replace(PAIR, ''));
}

const PAIR = /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}/g;

/** Reads a line the way a program does. */
export function contentOf({ bytes, line, isEnded }: FileLine, habits: LineHabits): LineContent {
  let text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  if (habits.ignoresMark && line === 1 && text.startsWith(BYTE_ORDER_MARK)) text = text.slice(1);
  if (habits.ignoresNul) text = text.replace(/^\0+/, '');
  if (text.trim() === '' && !text.startsWith(BYTE_ORDER_MARK)) return BLANK;
  if (habits.isStrictUtf8 && !isUtf8(bytes)) return { values: [], fault: 'bytes that are not UTF-8' };
  if (habits.refusesHalves && hasHalf(text)) return { values: [], fault: 'half of a surrogate pair' };
  const pieces = habits.endsAtSeparators ? text.split(/[\u2028\u2029]/) : [text];
  if (pieces.length > 1)
    return { values: pieces.flatMap(recordIn), fault: 'a raw U+2028 or U+2029 splits it' };
  const value = parsed(text);
  if (value !== undefined) return { values: [value] };
  const several = habits.splits ? objectsThatFill(Buffer.from(text)) : undefined;
  if (several && several.length > 1) {
    const whole = Buffer.from(text);
    return { values: several.flatMap(([from, to]) => recordIn(whole.toString('utf8', from, to))) };
  }
  return { values: [], ...faultOf(text, isEnded) };
}

function recordIn(text: string): JsonObject[] {
  const value = parsed(text);
  return value === undefined ? [] : [value];
}
