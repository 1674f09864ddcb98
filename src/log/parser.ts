import { isUtf8 } from 'node:buffer';
import { NEWLINE, OPEN_BRACE } from '../json/ascii.ts';
import { JsonScanner } from '../json/scanner.ts';
import type { Corruption } from './corruption.ts';
import { corruptionAt, diagnose, type FaultyLine, scanWithin } from './diagnose.ts';
import { MAX_LINE_BYTES } from './limits.ts';
import { LogRecord } from './record.ts';
import { SplitRecord } from './split-record.ts';
import { strippedRange } from './strip.ts';

/** What a parser hands over, in the order of the file. */
export interface LogVisitor {
  /** A whole record. The window is reused: see {@link LogRecord}. */
  record(record: LogRecord): void;
  /** A line, or several, that are no record. */
  corrupt(corruption: Corruption): void;
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const FIRST_CAPACITY = 1024 * 1024;

/**
 * Turns the bytes of a log, as they come, into records and corruptions: split at 0x0A only, strict UTF-8, one
 * object a line (noesis.md §3). Fill `room()`, say `filled(n)`, repeat; `end()` says that no more will come and
 * judges what stands after the last newline. It never throws on what the bytes hold, and keeps one line at most.
 */
export class LogParser {
  /** Lines ended so far, blank and corrupt ones too. */
  lines = 0;
  blankLines = 0;
  records = 0;
  corruptions = 0;
  /** Bytes taken in so far. */
  bytes = 0;
  /** Whether `end()` found a whole record without its newline. */
  missingFinalNewline = false;

  readonly #visitor: LogVisitor;
  readonly #scanner = new JsonScanner();
  readonly #record = new LogRecord(this.#scanner);
  readonly #base: number;
  #split: SplitRecord | undefined;
  #buffer: Buffer;
  /** `#buffer[#from, #to)` is not judged yet; `#offset` is the file's offset of `#from`. */
  #from = 0;
  #to = 0;
  #offset: number;
  /** The bytes of a line over the limit that were let go; above 0 while its newline is awaited. */
  #dropped = 0;
  #droppedHead: Buffer | undefined;

  /** `at` says where in the file the bytes begin: an offset at the start of a line, and how many lines precede it. */
  constructor(
    visitor: LogVisitor,
    at: { offset: number; lines: number } = { offset: 0, lines: 0 },
    capacity = FIRST_CAPACITY,
  ) {
    this.#visitor = visitor;
    this.#offset = at.offset;
    this.#base = at.offset;
    this.lines = at.lines;
    this.#buffer = Buffer.allocUnsafe(capacity + 1);
  }

  /** How many bytes stand after the last newline: a record that is not complete yet, or torn. */
  get pending(): number {
    return this.#to - this.#from + this.#dropped;
  }

  /** The file's offset of the line that is not complete yet. */
  get lineOffset(): number {
    return this.#offset;
  }

  /** Free memory for the next bytes; one byte of the buffer is kept back for the scanner's newline. */
  room(): Buffer {
    if (this.#from > 0 && this.#from === this.#to) this.#from = this.#to = 0;
    if (this.#to === this.#buffer.length - 1) {
      if (this.#from > 0) {
        this.#buffer.copyWithin(0, this.#from, this.#to);
      } else if (this.#to >= MAX_LINE_BYTES) {
        this.#dropLine();
      } else {
        const grown = Buffer.allocUnsafe(
          Math.min((this.#buffer.length - 1) * 4, MAX_LINE_BYTES + FIRST_CAPACITY) + 1,
        );
        this.#buffer.copy(grown, 0, 0, this.#to);
        this.#buffer = grown;
      }
      this.#to -= this.#from;
      this.#from = 0;
    }
    return this.#buffer.subarray(this.#to, this.#buffer.length - 1);
  }

  /** Judges every line that the next `count` bytes of `room()` complete. */
  filled(count: number): void {
    const buffer = this.#buffer;
    let newline = buffer.subarray(0, this.#to + count).indexOf(NEWLINE, this.#to);
    this.#to += count;
    this.bytes += count;
    if (newline === -1) return;
    const last = buffer.subarray(0, this.#to).lastIndexOf(NEWLINE);
    const clean = isUtf8(buffer.subarray(this.#from, last));
    while (newline !== -1 && newline <= last) {
      this.#line(this.#from, newline, true, clean);
      this.#offset += newline + 1 - this.#from;
      this.#from = newline + 1;
      newline = newline === last ? -1 : buffer.indexOf(NEWLINE, this.#from);
    }
  }

  /** Judges what stands after the last newline. */
  end(): void {
    if (this.pending > 0) {
      const before = this.records;
      this.#buffer[this.#to] = NEWLINE;
      this.#line(this.#from, this.#to, false, false);
      this.missingFinalNewline = this.records > before;
      this.#offset += this.#to - this.#from;
      this.#from = this.#to;
    }
    this.#giveUpSplit();
  }

  #line(start: number, end: number, terminated: boolean, clean: boolean): void {
    const line = ++this.lines;
    const buffer = this.#buffer;
    if (this.#dropped > 0) return this.#endDropped(end);
    const scanner = this.#scanner;
    if (
      end - start <= MAX_LINE_BYTES &&
      scanner.scan(buffer, start, end) &&
      (clean || isUtf8(buffer.subarray(start, end)))
    ) {
      if (scanner.nonFiniteAt < 0 && buffer[scanner.valueStart] === OPEN_BRACE) {
        if (this.#split) {
          this.#giveUpSplit();
          scanner.scan(buffer, start, end);
        }
        this.#accept(this.#record.moveTo(buffer, start, end, line, this.#offset));
        return;
      }
    }
    this.#oddLine({ bytes: buffer, start, end, line, offset: this.#offset, terminated });
  }

  #accept(record: LogRecord): void {
    this.records += 1;
    this.#visitor.record(record);
  }

  #oddLine(line: FaultyLine): void {
    const { bytes, start, end } = line;
    if (end - start > MAX_LINE_BYTES) {
      this.#report([corruptionAt(line, 'log/line-too-long', tooLong(end - start), start, end)]);
      return;
    }
    if (line.line === 1 && this.#base === 0 && bytes.subarray(start, end).indexOf(BYTE_ORDER_MARK) === 0) {
      const message = 'a byte order mark stands before the first record';
      this.#report([corruptionAt(line, 'log/bom', message, start, start + BYTE_ORDER_MARK.length)]);
      const rest = {
        ...line,
        start: start + BYTE_ORDER_MARK.length,
        offset: line.offset + BYTE_ORDER_MARK.length,
      };
      this.#judge(rest);
      return;
    }
    this.#judge(line);
  }

  /** A line that needs a second look: white space that JSON does not know, a piece of a split record, or corrupt. */
  #judge(line: FaultyLine): void {
    const { bytes, start, end } = line;
    const range = strippedRange(bytes, start, end);
    if (this.#split === undefined && range.start === range.end) {
      this.blankLines += 1;
      return;
    }
    const isRecord =
      range.start < range.end &&
      isUtf8(bytes.subarray(start, end)) &&
      scanWithin(bytes, range.start, range.end, this.#scanner) &&
      this.#scanner.nonFiniteAt < 0 &&
      bytes[this.#scanner.valueStart] === OPEN_BRACE;
    if (isRecord) {
      // Giving up a split uses the same scanner: point it back at this line.
      this.#giveUpSplit();
      scanWithin(bytes, range.start, range.end, this.#scanner);
      this.#accept(this.#record.moveTo(bytes, start, end, line.line, line.offset));
      return;
    }
    if (this.#split) {
      const outcome = this.#split.add(line);
      if (outcome === 'more') return;
      if (outcome !== 'never') {
        this.#split = undefined;
        this.#report([outcome]);
        return;
      }
      this.#giveUpSplit();
      this.#judge(line);
      return;
    }
    this.#split = SplitRecord.begin(line);
    if (this.#split === undefined) this.#report(diagnose(line));
  }

  /** The lines that were held back as pieces of one record are not: each is judged on its own. */
  #giveUpSplit(): void {
    const split = this.#split;
    if (split === undefined) return;
    this.#split = undefined;
    const [first, ...rest] = split.pieces;
    if (first) this.#report(diagnose(first));
    for (const piece of rest) this.#judge(piece);
    this.#giveUpSplit();
  }

  #report(corruptions: readonly Corruption[]): void {
    this.corruptions += corruptions.length;
    for (const corruption of corruptions) this.#visitor.corrupt(corruption);
  }

  /** Lets go of the beginning of a line over the limit, keeping what its excerpt needs. */
  #dropLine(): void {
    this.#droppedHead ??= Buffer.from(this.#buffer.subarray(0, 2048));
    this.#dropped += this.#to;
    this.#from = this.#to;
    this.#buffer = Buffer.allocUnsafe(FIRST_CAPACITY + 1);
    this.#from = this.#to = 0;
  }

  #endDropped(end: number): void {
    const length = this.#dropped + (end - this.#from);
    const head = Buffer.concat([this.#droppedHead ?? Buffer.alloc(0), Buffer.from('\n')]);
    const line = {
      bytes: head,
      start: 0,
      end: head.length - 1,
      line: this.lines,
      offset: this.#offset,
      terminated: true,
    };
    const found = corruptionAt(line, 'log/line-too-long', tooLong(length), 0, 0);
    this.#offset += this.#dropped;
    this.#dropped = 0;
    this.#droppedHead = undefined;
    this.#giveUpSplit();
    this.#report([{ ...found, byteEnd: found.byteStart + length }]);
  }
}

function tooLong(length: number): string {
  return `the line has ${length} bytes; more than ${MAX_LINE_BYTES} (64 MiB) are refused`;
}
