import { BACKSLASH, CARRIAGE_RETURN, NEWLINE, OPEN_BRACE, QUOTE } from '../base/json/ascii.ts';
import { lintJson } from '../base/json/lint.ts';
import { JsonScanner } from '../base/json/scanner.ts';
import { corruptionAt, type FaultyLine, isTextUtf8, type ReportFault } from './diagnose.ts';
import { strippedRange } from './strip.ts';

/** More pieces are not joined, so a log of garbage is read quickly. */
const MAX_PIECES = 100;
const MAX_BYTES = 256 * 1024;

const ESCAPED: ReadonlyMap<number | undefined, string> = new Map([
  [NEWLINE, '\\n'],
  [CARRIAGE_RETURN, '\\r'],
]);

/**
 * Joins lines that are one record with raw newlines: those inside strings are escaped, the others removed.
 */
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

function hasRepeatedKey(line: Buffer): boolean {
  for (const { kind } of lintJson(line, 0, line.length)) if (kind === 'duplicate-key') return true;
  return false;
}

/** Scans never overlap. */
const scanner = new JsonScanner();

/**
 * Lines that may be pieces of one record with raw newlines. Begins with a line whose object is still open at
 * its end, and takes more lines until the object closes or they cannot fit.
 */
export class SplitRecord {
  readonly pieces: FaultyLine[] = [];
  #joined = Buffer.alloc(0);
  #lastLine = 0;
  #byteEnd = 0;

  /**
   * Starts with a line that looks like the first piece: an object, open at the end, with a newline after it.
   */
  static begin(line: FaultyLine): SplitRecord | undefined {
    const { bytes, textStart, end } = line;
    if (!line.terminated || end - textStart > MAX_BYTES) return undefined;
    if (bytes[strippedRange(bytes, textStart, end).start] !== OPEN_BRACE) return undefined;
    const split = new SplitRecord();
    return split.add(line) === 'more' ? split : undefined;
  }

  /**
   * Adds a line. `more`: the record continues. `whole`: it is complete. `never`: the lines are not one record.
   */
  add(line: FaultyLine): 'more' | 'never' | 'whole' {
    const { bytes, start, textStart, end } = line;
    const piece = bytes.subarray(textStart, end);
    // Each line is judged alone, because invalid UTF-8 takes precedence over an unescaped newline.
    if (!isTextUtf8(line)) return 'never';
    if (this.pieces.length === MAX_PIECES || this.#joined.length + piece.length > MAX_BYTES) return 'never';
    // Newlines become spaces, which JSON allows both in strings and between tokens.
    const space = this.pieces.length > 0 ? [Buffer.from(' ')] : [];
    const spaced = Buffer.concat([this.#joined.subarray(0, -1), ...space, piece, Buffer.from('\n')]);
    const whole = scanner.scan(spaced, 0, spaced.length - 1);
    if (!whole && scanner.faultAt < spaced.length - 1) return 'never';
    // No program writes a key twice, so these are parts of two records.
    const stored = () => this.pieces.map((one) => one.bytes.subarray(one.textStart, one.end + 1));
    if (whole && scanner.maybeDuplicate && hasRepeatedKey(joined(Buffer.concat([...stored(), piece]))))
      return 'never';
    this.#joined = spaced;
    const own = Buffer.from(bytes.subarray(start, end + 1));
    this.pieces.push({ ...line, bytes: own, start: 0, textStart: textStart - start, end: end - start });
    this.#lastLine = line.line;
    this.#byteEnd = line.offset + (end - start);
    return whole ? 'whole' : 'more';
  }

  /** Reports a complete record. */
  report(report: ReportFault): void {
    const first = this.pieces[0] as FaultyLine;
    report('log/split-record', first.line, () => {
      const message = `one record is spread over lines ${first.line} to ${this.#lastLine}: a newline inside it is not escaped`;
      const found = corruptionAt(first, 'log/split-record', message, first.textStart, first.end);
      return { ...found, byteEnd: this.#byteEnd };
    });
  }
}
