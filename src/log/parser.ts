import { isUtf8 } from 'node:buffer';
import { NEWLINE, OPEN_BRACE } from '../base/json/ascii.ts';
import { JsonScanner } from '../base/json/scanner.ts';
import type { Accelerator } from './accelerator/accelerator.ts';
import type { Corruption, CorruptionCode } from './corruption.ts';
import { corruptionAt, type FaultyLine, notObject } from './diagnose.ts';
import { MAX_LINE_BYTES } from './limits.ts';
import type { LogForm } from './log-form.ts';
import { MalformedLines, tooLong } from './malformed-lines.ts';
import { LogRecord } from './record.ts';
import { RowSource } from './row.ts';
import type { LogVisitor, ParserOptions } from './visitor.ts';

const FIRST_CAPACITY = 1024 * 1024;
const LARGEST_CAPACITY = MAX_LINE_BYTES + FIRST_CAPACITY;

/**
 * Splits the bytes of a log into records and corruptions: lines end at 0x0A only, are strict UTF-8, and
 * contain one object each (noesis.md §3). Fill `room()`, call `filled(n)`, repeat; `end()` judges an
 * unterminated last line. Never throws because of the content, and holds at most one line.
 */
export class LogParser {
  /** Lines ended so far, including blank and corrupt ones. */
  lines = 0;
  records = 0;
  corruptions = 0;
  bytes = 0;
  /** `end()` found a whole record without a newline. */
  missingFinalNewline = false;

  readonly #visitor: LogVisitor;
  readonly #scanner = new JsonScanner();
  readonly #record: LogRecord;
  readonly #malformed: MalformedLines;
  #buffer: Buffer;
  /** `#buffer[#from, #to)` is not judged yet; `#offset` is the file offset of `#from`. */
  #from = 0;
  #to = 0;
  #offset: number;
  /** The number of bytes dropped from an overlong line; above 0 until its newline is found. */
  #dropped = 0;
  #droppedHead: Buffer | undefined;

  readonly #rows: RowSource | undefined;
  /** Whether the buffer is in the accelerator's memory. A very long line needs a larger one. */
  #inAccelerator: boolean;

  /** `how`: the form of the records, or the source that makes rows of them. */
  constructor(how: LogForm | RowSource, visitor: LogVisitor, options: ParserOptions = {}) {
    const { offset = 0, lines = 0, capacity = FIRST_CAPACITY } = options;
    const rows = how instanceof RowSource ? how : undefined;
    this.#visitor = visitor;
    this.#record = new LogRecord(this.#scanner, how);
    this.#offset = offset;
    this.#malformed = new MalformedLines(this.#scanner, offset === 0, {
      accept: ({ bytes, start, end, line, offset: byteStart }) =>
        this.#accept(this.#record.moveTo(bytes, start, end, line, byteStart)),
      report: this.#report.bind(this),
      takesGlued: how.takesGlued,
    });
    this.lines = lines;
    this.#rows = rows;
    this.#inAccelerator = rows?.accelerator !== undefined;
    this.#buffer = rows?.accelerator?.buffer ?? Buffer.allocUnsafe(capacity + 1);
  }

  /** Whether lines are held back because they may be pieces of one record. */
  get isWaiting(): boolean {
    return this.#malformed.isWaiting;
  }

  /** Judges the held-back lines as they are. */
  settle(): void {
    this.#malformed.giveUp();
  }

  get blankLines(): number {
    return this.#malformed.blankLines;
  }

  /** The number of bytes after the last newline: an incomplete or torn record. */
  get pending(): number {
    return this.#to - this.#from + this.#dropped;
  }

  /** Free memory for the next bytes. One byte is reserved for the scanner's newline. */
  room(): Buffer {
    if (this.#from === this.#to) this.#from = this.#to = 0;
    if (!this.#inAccelerator && this.#rows?.accelerator) this.#returnTo(this.#rows.accelerator);
    if (this.#to === this.#buffer.length - 1) {
      if (this.#from > 0) {
        this.#buffer.copyWithin(0, this.#from, this.#to);
      } else if (this.#to > MAX_LINE_BYTES || this.#dropped > 0) {
        this.#dropLine();
      } else {
        // The last step exceeds the limit, so two buffers of that size are never needed.
        const larger = (this.#buffer.length - 1) * 8;
        const grown = Buffer.allocUnsafe((larger < MAX_LINE_BYTES ? larger : LARGEST_CAPACITY) + 1);
        this.#buffer.copy(grown, 0, 0, this.#to);
        this.#buffer = grown;
        this.#inAccelerator = false;
      }
      this.#to -= this.#from;
      this.#from = 0;
    }
    // Limits the size, because the accelerator waits until the buffer is moved back after a very long line.
    const most = this.#to + FIRST_CAPACITY;
    return this.#buffer.subarray(this.#to, Math.min(most, this.#buffer.length - 1));
  }

  /** After a very long line, moves the rest back to the accelerator's memory. */
  #returnTo({ buffer }: Accelerator): void {
    if (this.#to - this.#from > buffer.length / 2) return;
    this.#buffer.copy(buffer, 0, this.#from, this.#to);
    this.#to -= this.#from;
    this.#from = 0;
    this.#buffer = buffer;
    this.#inAccelerator = true;
  }

  /** Judges every line that the next `count` bytes of `room()` complete. */
  filled(count: number): void {
    const added = this.#buffer.subarray(this.#to, this.#to + count);
    const newline = added.lastIndexOf(NEWLINE);
    const last = this.#to + newline;
    this.#to += count;
    this.bytes += count;
    if (newline === -1) return;
    const clean = isUtf8(this.#buffer.subarray(this.#from, last));
    while (this.#from <= last) {
      if (clean && this.#inAccelerator && this.#rows?.accelerator)
        this.#takeRows(this.#rows, this.#rows.accelerator, last);
      else this.#nextLine(this.#buffer.indexOf(NEWLINE, this.#from), clean);
    }
  }

  /** Judges the line that ends at `end`, and advances. */
  #nextLine(end: number, clean: boolean): void {
    this.#line(this.#from, end, true, clean);
    this.#advance(end + 1);
  }

  #advance(to: number): void {
    this.#offset += to - this.#from;
    this.#from = to;
  }

  /** Lets the accelerator read the lines up to the newline at `last`, or as many as fit. */
  #takeRows(rows: RowSource, accelerator: Accelerator, last: number): void {
    const count = accelerator.run(this.#from, last + 1);
    this.#buffer = accelerator.buffer;
    for (let row = 0; row < count; row += 1) {
      accelerator.select(row);
      const { end, isRead } = accelerator;
      if (isRead && !this.#malformed.isWaiting && this.#dropped === 0) this.#takeRow(rows, accelerator, end);
      else this.#nextLine(end, true);
    }
  }

  #takeRow(rows: RowSource, accelerator: Accelerator, end: number): void {
    this.lines += 1;
    this.records += 1;
    const record = this.#record.moveToRead(
      this.#buffer,
      this.#from,
      end,
      this.lines,
      this.#offset,
      accelerator.json,
      rows,
    );
    record.ordinal = this.records;
    this.#visitor.row?.(rows.row.read(record, accelerator.type, accelerator.isAccepted));
    this.#advance(end + 1);
  }

  /** Judges what follows the last newline. */
  end(): void {
    if (this.pending > 0) {
      const before = this.records;
      this.#buffer[this.#to] = NEWLINE;
      this.#line(this.#from, this.#to, false, false);
      this.missingFinalNewline = this.records > before;
      this.#offset += this.#to - this.#from;
      this.#from = this.#to;
    }
    this.#malformed.giveUp();
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
        if (this.#malformed.isWaiting) {
          this.#malformed.giveUp();
          scanner.scan(buffer, start, end);
        }
        this.#accept(this.#record.moveTo(buffer, start, end, line, this.#offset));
        return;
      }
      // JSON that is no object needs no second look, unless it may be a piece of a record.
      if (scanner.nonFiniteAt < 0 && terminated && !this.#malformed.isWaiting) {
        this.#report('log/not-object', line, () =>
          notObject(this.#faulty(start, end, line, terminated, true), scanner),
        );
        return;
      }
    }
    this.#malformed.look(this.#faulty(start, end, line, terminated, clean));
  }

  #faulty(start: number, end: number, line: number, terminated: boolean, isUtf8: boolean): FaultyLine {
    const [bytes, offset] = [this.#buffer, this.#offset];
    return { bytes, start, textStart: start, end, line, offset, terminated, isUtf8 };
  }

  #accept(record: LogRecord): void {
    this.records += 1;
    record.ordinal = this.records;
    if (this.#rows) this.#visitor.row?.(this.#rows.row.take(record));
    else this.#visitor.record?.(record);
  }

  #report(code: CorruptionCode, line: number, describe: () => Corruption): void {
    this.corruptions += 1;
    const visitor = this.#visitor;
    if (visitor.corrupt && visitor.wants?.(code, line) !== false) visitor.corrupt(describe());
  }

  /** Drops the beginning of an overlong line, but keeps what its excerpt needs. */
  #dropLine(): void {
    this.#droppedHead ??= Buffer.from(this.#buffer.subarray(0, 2048));
    if (this.#dropped === 0) this.#buffer = Buffer.allocUnsafe(FIRST_CAPACITY + 1);
    this.#dropped += this.#to;
    this.#inAccelerator = false;
    this.#from = this.#to = 0;
  }

  #endDropped(end: number): void {
    const length = this.#dropped + (end - this.#from);
    const head = Buffer.concat([this.#droppedHead as Buffer, Buffer.from('\n')]);
    const line = {
      bytes: head,
      start: 0,
      textStart: 0,
      end: head.length - 1,
      line: this.lines,
      offset: this.#offset,
      terminated: true,
    };
    const byteStart = this.#offset;
    this.#offset += this.#dropped;
    this.#dropped = 0;
    this.#droppedHead = undefined;
    this.#malformed.giveUp();
    this.#report('log/line-too-long', line.line, () => {
      const found = corruptionAt(line, 'log/line-too-long', tooLong(length), 0, 0);
      return { ...found, byteEnd: byteStart + length };
    });
  }
}
