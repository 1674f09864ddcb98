import { isUtf8 } from 'node:buffer';
import { JsonScanner } from '../../base/json/scanner.ts';
import { isObject, type JsonObject } from '../../base/json/value.ts';
import { objectsThatFill } from '../../dialects/sessions/kit/loading/lines.ts';
import type { FileLine } from '../../dialects/sessions/kit/loading/model.ts';
import type { ByteNeeds } from '../../dialects/sessions/kit/repair/program.ts';
import type { RepairLog } from '../../dialects/sessions/kit/repair/repair-log.ts';
import { lineOfNuls, NOT_A_RECORD } from '../../dialects/sessions/kit/repaired-copy.ts';
import { joined } from '../../log/split-record.ts';
import { recordsOn } from '../salvage/whole-records.ts';

const MOST_JOINED = 100;
const NEWLINE = Buffer.from('\n');
const HALF =
  /\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}/g;

/** Scans never overlap. */
const scanner = new JsonScanner();

/** Whether more text may still make JSON of this one. No text repairs a fault that is before its end. */
function mayGoOn(text: Buffer): boolean {
  const isWhole = scanner.scan(Buffer.concat([text, NEWLINE]), 0, text.length);
  return isWhole || scanner.fault === 'end-of-text' || scanner.fault === 'open-string';
}

function objectIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The members that every record has. */
function commonMembers(lines: readonly FileLine[]): ReadonlySet<string> {
  let common: Set<string> | undefined;
  for (const { bytes } of lines) {
    const value = objectIn(asBuffer(bytes).toString('utf8'));
    if (value === undefined) continue;
    common = new Set(Object.keys(value).filter((key) => common === undefined || common.has(key)));
  }
  return common ?? new Set();
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);

/** Takes the records out of the bytes of a log. What is not a record is rejected. */
export function takeRecords(lines: readonly FileLine[], to: RepairLog, needs: ByteNeeds): void {
  const common = commonMembers(lines);
  const looksLikeRecord = (text: string): boolean => {
    const value = objectIn(text);
    return value !== undefined && [...common].every((key) => Object.hasOwn(value, key));
  };
  for (let at = 0; at < lines.length; ) {
    const line = lines[at];
    if (line === undefined) break;
    at += new LineRepair(line, lines.slice(at + 1, at + MOST_JOINED), to, needs, looksLikeRecord).take();
  }
}

/** Takes the records out of one line, and of those that continue it. */
class LineRepair {
  readonly #line: FileLine;
  readonly #next: readonly FileLine[];
  readonly #to: RepairLog;
  readonly #needs: ByteNeeds;
  readonly #looksLikeRecord: (text: string) => boolean;

  constructor(
    line: FileLine,
    next: readonly FileLine[],
    to: RepairLog,
    needs: ByteNeeds,
    looksLikeRecord: (text: string) => boolean,
  ) {
    this.#line = line;
    this.#next = next;
    this.#to = to;
    this.#needs = needs;
    this.#looksLikeRecord = looksLikeRecord;
  }

  /** Returns the number of lines that were used. */
  take(): number {
    const { line, bytes, start } = this.#line;
    const [from, to] = this.#stripped();
    if (from >= to) return 1;
    const content = asBuffer(bytes).subarray(from, to);
    if (this.#whole(content, start + from, start + to)) return 1;
    const several = objectsThatFill(content) ?? objectsThatFill(unlisted(content));
    if (
      several &&
      several.length > 0 &&
      several.every(([a, b]) => objectIn(content.toString('utf8', a, b)))
    ) {
      for (const [a, b] of several) this.#whole(content.subarray(a, b), start + from + a, start + from + b);
      this.#to.act('bytes', line, `${several.length} records were on one line`);
      return 1;
    }
    const used = this.#continued(content, start + from);
    if (used > 0) return used;
    this.#pieces(content, start + from);
    return 1;
  }

  /** The range without a byte order mark, NUL bytes, and white space. */
  #stripped(): [from: number, to: number] {
    const { line, bytes, start } = this.#line;
    let [from, to] = [0, bytes.length];
    if (
      start === 0 &&
      asBuffer(bytes)
        .subarray(0, 3)
        .equals(Buffer.of(0xef, 0xbb, 0xbf))
    ) {
      from = 3;
      this.#to.act('bytes', line, 'a byte order mark was removed');
    }
    let zeros = 0;
    const isNothing = (at: number) => {
      const byte = bytes[at];
      if (byte === 0) zeros += 1;
      return byte === 0 || byte === 0x20 || byte === 0x09 || byte === 0x0d;
    };
    while (from < to && isNothing(from)) from += 1;
    while (to > from && isNothing(to - 1)) to -= 1;
    if (zeros > 0)
      this.#to.act('bytes', line, from < to ? `${zeros} NUL bytes were removed` : lineOfNuls(zeros));
    return [from, to];
  }

  /** Takes a record, if these bytes are one. */
  #whole(content: Buffer, start: number, end: number): boolean {
    let text = content.toString('utf8');
    if (objectIn(text) === undefined) return false;
    const { line } = this.#line;
    if (!isUtf8(content)) this.#to.act('bytes', line, 'bytes that are not UTF-8 became U+FFFD');
    if (this.#needs.replacesHalves && HALF.test(text)) {
      text = text.replace(HALF, '\\ufffd');
      this.#to.act('bytes', line, 'a half of a surrogate pair became U+FFFD');
    }
    if (this.#needs.escapesSeparators && /[\u2028\u2029]/.test(text)) {
      text = text.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
      this.#to.act('bytes', line, 'a raw U+2028 or U+2029 was written as an escape');
    }
    const value = objectIn(text);
    if (value === undefined) return false;
    this.#to.records.push({ line, start, end, text, value });
    return true;
  }

  /** Takes a record that goes on over the next lines. Returns the number of lines. */
  #continued(content: Buffer, start: number): number {
    if (content[0] !== 0x7b || !mayGoOn(joined(content))) return 0;
    let whole = content;
    for (const [index, next] of this.#next.entries()) {
      // A line that is a record of its own does not continue another one.
      if (objectIn(asBuffer(next.bytes).toString('utf8')) !== undefined) return 0;
      whole = Buffer.concat([whole, NEWLINE, asBuffer(next.bytes)]);
      const bytes = joined(whole);
      if (!mayGoOn(bytes)) return 0;
      const text = bytes.toString('utf8');
      const value = objectIn(text);
      if (value === undefined) continue;
      this.#to.records.push({ line: this.#line.line, start, end: next.end, text, value });
      this.#to.act('bytes', this.#line.line, `a record was on ${index + 2} lines`);
      return index + 2;
    }
    return 0;
  }

  /** Takes the whole records between torn ones. */
  #pieces(content: Buffer, start: number): void {
    const { line, isEnded } = this.#line;
    const bytes = Buffer.concat([content, NEWLINE]);
    const found = recordsOn(bytes, 0, content.length, this.#looksLikeRecord, isEnded);
    let at = 0;
    const lose = (to: number) => {
      if (to <= at) return;
      this.#to.rejected.push({ line, start: start + at, end: start + to, why: NOT_A_RECORD });
      this.#to.act('bytes', line, `${to - at} bytes are not a record, and were rejected`);
    };
    for (const { from, to } of found) {
      lose(from);
      this.#whole(content.subarray(from, to), start + from, start + to);
      at = to;
    }
    lose(content.length);
  }
}

/** A list without its brackets and commas between objects, at the same offsets. */
function unlisted(content: Buffer): Buffer {
  if (content[0] !== 0x5b || content.at(-1) !== 0x5d) return content;
  const copy = Buffer.from(content);
  copy[0] = 0x20;
  copy[copy.length - 1] = 0x20;
  for (let depth = 0, at = 0, inText = false; at < copy.length; at += 1) {
    const byte = copy[at];
    if (byte === 0x22) inText = !inText;
    else if (inText) at += byte === 0x5c ? 1 : 0;
    else if (byte === 0x7b || byte === 0x5b) depth += 1;
    else if (byte === 0x7d || byte === 0x5d) depth -= 1;
    else if (byte === 0x2c && depth === 0) copy[at] = 0x20;
  }
  return copy;
}
