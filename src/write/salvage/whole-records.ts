import { isUtf8 } from 'node:buffer';
import { isJsonSpace, OPEN_BRACE } from '../../base/json/ascii.ts';
import { JsonScanner } from '../../base/json/scanner.ts';

/** A record found inside damaged bytes. */
export interface FoundRecord {
  /** Offsets into the bytes. */
  readonly from: number;
  readonly to: number;
  /** The repaired line, if the bytes had to be changed. */
  readonly mended?: Buffer;
  /** How it was found, in a few words. */
  readonly how: string;
}

/**
 * Whether an object looks like a record of the log. `strictly`: it has every member that all records have.
 */
export type LooksLikeRecord = (text: string, strictly: boolean) => boolean;

const scanner = new JsonScanner();

/** The search for records reads at most this many times the length of a line, so garbage stays cheap. */
const MOST_READ = 64;
const ALWAYS_READ = 1024 * 1024;

const WORD = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g;

/** Replaces numbers that JSON cannot express with null. */
export function withoutNonFinite(line: Buffer): Buffer {
  const text = line.toString('utf8');
  return Buffer.from(text.replace(WORD, (word) => (word.startsWith('"') ? word : 'null')));
}

/**
 * The end of the object that begins at a brace; undefined if it is not an object, with the offset of the
 * fault.
 */
function objectAt(bytes: Buffer, from: number, end: number): { to?: number; faultAt: number } {
  const isWhole = scanner.scan(bytes, from, end);
  const { valueEnd, nonFiniteAt } = scanner;
  const ends = isWhole || scanner.fault === 'trailing-text';
  const faultAt = isWhole ? end : scanner.faultAt;
  if (!ends || nonFiniteAt >= 0 || !isUtf8(bytes.subarray(from, valueEnd))) return { faultAt };
  return { to: valueEnd, faultAt };
}

const isNothing = (byte: number | undefined): boolean => byte === 0 || isJsonSpace(byte);

/** The first offset from `at` on that is neither white space nor NUL. */
function past(bytes: Buffer, at: number, end: number): number {
  let next = at;
  while (next < end && isNothing(bytes[next])) next += 1;
  return next;
}

/**
 * Finds the whole records on a damaged line: before, after and between torn ones. An object inside a torn
 * record is part of it and not a record. Therefore, after a torn record or before other text, an object only
 * counts if it looks like a record and extends to the end of the line or to the next record. `bytes[end]` is
 * a newline; `isEnded`: the file has it.
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
  /** How far the torn record could be read; undefined if none was torn yet. */
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
    // An object that may be a value inside the torn record only counts if it has every member that records
    // have.
    const mayBeValue = tornTo !== undefined && tornTo > at + 1;
    const looksIt = () => looksLikeRecord(bytes.toString('utf8', at, to), mayBeValue);
    const isRecord =
      tornTo === undefined ? next >= end || looksIt() : isLast && (!mayBeValue || isEnded) && looksIt();
    if (isRecord) {
      const how = tornTo === undefined ? 'whole at the start of its line' : 'whole after a torn record';
      found.push({ from: at, to, how });
      tornTo = undefined;
    }
    at = next;
  }
  return found;
}
