import { isUtf8 } from 'node:buffer';
import { BACKSLASH, CARRIAGE_RETURN, isJsonSpace, NEWLINE, OPEN_BRACE, QUOTE } from '../../json/ascii.ts';
import { JsonScanner } from '../../json/scanner.ts';

/** A record that was found in bytes that are none as a whole. */
export interface FoundRecord {
  /** Offsets into the bytes. */
  readonly from: number;
  readonly to: number;
  /** Its line, where that is not what stands there. */
  readonly mended?: Buffer;
  /** What was done to it, in a few words. */
  readonly how: string;
}

/** Whether an object looks like a record of the log; `strictly`: it has all that every record of it has. */
export type LooksLikeRecord = (text: string, strictly: boolean) => boolean;

const scanner = new JsonScanner();

/** So many times the length of a line is read at most to find records in it: garbage must stay cheap. */
const MOST_READ = 64;
const ALWAYS_READ = 1024 * 1024;

const ESCAPED: ReadonlyMap<number | undefined, string> = new Map([
  [NEWLINE, '\\n'],
  [CARRIAGE_RETURN, '\\r'],
]);

/** Lines that are one record with raw newlines in it: those in a text are escaped, those between are left out. */
export function joined(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  let inText = false;
  let from = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) inText = !inText;
    else if (byte === BACKSLASH && inText) at += 1;
    const escaped = ESCAPED.get(byte);
    if (escaped === undefined) continue;
    parts.push(bytes.subarray(from, at), Buffer.from(inText ? escaped : ''));
    from = at + 1;
  }
  return Buffer.concat([...parts, bytes.subarray(from)]);
}

const WORD = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g;

/** A record that is whole but for numbers that JSON has no form for: these become null. */
export function withoutNonFinite(line: Buffer): Buffer {
  const text = line.toString('utf8');
  return Buffer.from(text.replace(WORD, (word) => (word.startsWith('"') ? word : 'null')));
}

/** Where the object that begins at a brace ends; undefined where it is none, with the place where that shows. */
function objectAt(bytes: Buffer, from: number, end: number): { to?: number; faultAt: number } {
  const isWhole = scanner.scan(bytes, from, end);
  const { valueEnd, nonFiniteAt } = scanner;
  const ends = isWhole || scanner.fault === 'trailing-text';
  const faultAt = isWhole ? end : scanner.faultAt;
  if (!ends || nonFiniteAt >= 0 || !isUtf8(bytes.subarray(from, valueEnd))) return { faultAt };
  return { to: valueEnd, faultAt };
}

const isNothing = (byte: number | undefined): boolean => byte === 0 || isJsonSpace(byte);

/** The first place from `at` on that is neither white space nor NUL. */
function past(bytes: Buffer, at: number, end: number): number {
  let next = at;
  while (next < end && isNothing(bytes[next])) next += 1;
  return next;
}

/**
 * The whole records on a line that is none: before what was torn, behind it, and between. What stands inside a torn
 * record is a part of it, not a record: behind one only what looks like a record and goes to the end of the line, or to
 * the next record, is given back; and so is only what looks like one before other text. `bytes[end]` is a newline; `isEnded`: it is the file's own.
 */
export function recordsOn(
  bytes: Buffer,
  start: number,
  end: number,
  looksLikeRecord: LooksLikeRecord,
  isEnded: boolean,
): FoundRecord[] {
  const found: FoundRecord[] = [];
  let budget = (end - start) * MOST_READ + ALWAYS_READ;
  /** How far the record that was torn could be read on; before the line's end nothing has been torn. */
  let tornTo: number | undefined;
  let at = past(bytes, start, end);
  while (at < end && budget > 0) {
    if (bytes[at] !== OPEN_BRACE) {
      tornTo ??= at;
      const brace = bytes.indexOf(OPEN_BRACE, at);
      if (brace === -1 || brace >= end) break;
      at = brace;
    }
    const { to, faultAt } = objectAt(bytes, at, end);
    budget -= Math.max(1, (to ?? faultAt) - at);
    if (to === undefined) {
      tornTo = Math.max(tornTo ?? 0, faultAt);
      at += 1;
      continue;
    }
    const next = past(bytes, to, end);
    const isLast = next >= end || bytes[next] === OPEN_BRACE;
    // What the torn one could have as a value is taken for a record only where it has all that records have.
    const mayBeValue = tornTo !== undefined && tornTo > at + 1;
    const looksIt = () => looksLikeRecord(bytes.toString('utf8', at, to), mayBeValue);
    const isRecord =
      tornTo === undefined ? next >= end || looksIt() : isLast && (!mayBeValue || isEnded) && looksIt();
    if (isRecord) {
      const how = tornTo === undefined ? 'whole at the start of its line' : 'whole behind what was torn';
      found.push({ from: at, to, how });
      tornTo = undefined;
    }
    at = next;
  }
  return found;
}
