import { OPEN_BRACE } from '../base/json/ascii.ts';
import type { JsonScanner } from '../base/json/scanner.ts';
import type { CorruptionCode } from './corruption.ts';
import {
  corruptionAt,
  diagnose,
  type FaultyLine,
  isTextUtf8,
  type ReportFault,
  scanWithin,
} from './diagnose.ts';
import { MAX_LINE_BYTES } from './limits.ts';
import { markLength } from './line-text.ts';
import { SplitRecord } from './split-record.ts';
import { strippedRange } from './strip.ts';

/** After a failed join, this many pieces are tried again. More would make a log of garbage slow to read. */
const MAX_RETRIED = 8;

export function tooLong(length: number): string {
  return `the line has ${length} bytes; more than ${MAX_LINE_BYTES} (64 MiB) are refused`;
}

/** Receives the result for a malformed line. */
export interface Judgement {
  /** It is a record; the scanner points at it. */
  accept(line: FaultyLine): void;
  readonly report: ReportFault;
  /** Accept the whole records of lines that have several or torn ones, after their report. */
  readonly takesGlued: boolean;
}

/**
 * Takes a second look at lines that are not plain records. Some are held back until the next lines show what
 * they are.
 */
export class MalformedLines {
  blankLines = 0;
  readonly #scanner: JsonScanner;
  readonly #fromStart: boolean;
  readonly #to: Judgement;
  #split: SplitRecord | undefined;

  /** `fromStart`: the first line is the first of the file. */
  constructor(scanner: JsonScanner, fromStart: boolean, to: Judgement) {
    this.#scanner = scanner;
    this.#fromStart = fromStart;
    this.#to = to;
  }

  /** Whether lines are held back. */
  get isWaiting(): boolean {
    return this.#split !== undefined;
  }

  look(line: FaultyLine): void {
    const { bytes, start, end } = line;
    if (end - start > MAX_LINE_BYTES) {
      this.#report(line, 'log/line-too-long', tooLong(end - start), end);
      return;
    }
    const mark = line.line === 1 && this.#fromStart ? markLength(bytes.subarray(start, end)) : 0;
    if (mark > 0) {
      const message = 'a byte order mark comes before the first record';
      this.#report(line, 'log/bom', message, start + mark);
      this.#judge({ ...line, textStart: start + mark });
      return;
    }
    this.#judge(line);
  }

  /** Reports a fault at the start of its line. */
  #report(line: FaultyLine, code: CorruptionCode, message: string, to: number): void {
    this.#to.report(code, line.line, () => corruptionAt(line, code, message, line.start, to));
  }

  /**
   * A line that needs a second look: it has white space that JSON does not allow, is a piece of a split
   * record, or is corrupt.
   */
  #judge(line: FaultyLine, maySplit = true): void {
    const { bytes, textStart, end } = line;
    const range = strippedRange(bytes, textStart, end);
    if (this.#split === undefined && range.start === range.end) {
      this.blankLines += 1;
      return;
    }
    const isRecord =
      range.start < range.end &&
      bytes[range.start] === OPEN_BRACE &&
      isTextUtf8(line) &&
      scanWithin(bytes, range.start, range.end, this.#scanner) &&
      this.#scanner.nonFiniteAt < 0;
    if (isRecord) {
      // Giving up moves the shared scanner, so point it at this line again.
      this.giveUp();
      scanWithin(bytes, range.start, range.end, this.#scanner);
      this.#to.accept(line);
      return;
    }
    if (this.#split) {
      const outcome = this.#split.add(line);
      if (outcome === 'more') return;
      if (outcome === 'whole') {
        this.#split.report(this.#to.report);
        this.#split = undefined;
        return;
      }
      this.giveUp();
      this.#judge(line);
      return;
    }
    this.#split = maySplit ? SplitRecord.begin(line) : undefined;
    if (this.#split === undefined) this.#diagnose(line);
  }

  #diagnose(line: FaultyLine): void {
    const glued = diagnose(line, this.#to.report);
    if (glued !== undefined && this.#to.takesGlued) this.#acceptWhole(line, glued);
  }

  /** Accepts the whole records of a line. If the first one is torn, they begin at `glued`. */
  #acceptWhole(line: FaultyLine, glued: number): void {
    const { bytes, start, end, offset } = line;
    const scanner = this.#scanner;
    let at = strippedRange(bytes, line.textStart, end).start;
    while (at < end) {
      const isLast = scanWithin(bytes, at, end, scanner);
      const next = isLast ? end : scanner.faultAt;
      if (isLast || scanner.fault === 'trailing-text') {
        const { valueEnd } = scanner;
        scanWithin(bytes, at, valueEnd, scanner);
        if (scanner.nonFiniteAt < 0 && bytes[at] === OPEN_BRACE)
          this.#to.accept({ ...line, start: at, textStart: at, end: valueEnd, offset: offset + at - start });
        at = next;
      } else if (at < glued) at = glued;
      else return;
    }
  }

  /** Judges each held-back line separately, because they are not pieces of one record. */
  giveUp(): void {
    const split = this.#split;
    if (split === undefined) return;
    this.#split = undefined;
    const [first, ...rest] = split.pieces;
    this.#diagnose(first as FaultyLine);
    for (const piece of rest) this.#judge(piece, rest.length <= MAX_RETRIED);
    this.giveUp();
  }
}
