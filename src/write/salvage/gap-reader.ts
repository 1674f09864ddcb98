import { NEWLINE } from '../../base/json/ascii.ts';
import type { Yielder } from '../../base/time/yielder.ts';
import { MAX_LINE_BYTES } from '../../log/limits.ts';
import { markLength } from '../../log/line-text.ts';
import { joined } from '../../log/split-record.ts';
import { strippedRange } from '../../log/strip.ts';
import type { CopyVisitor, Fault, KeptRun, RepairedRecord } from './copy-visitor.ts';
import type { Source } from './files.ts';
import { type FoundRecord, type LooksLikeRecord, recordsOn, withoutNonFinite } from './whole-records.ts';

/** A line, or the lines of one record. */
interface Piece {
  readonly line: number;
  readonly byteStart: number;
  readonly byteEnd: number;
}

/** The fault of a piece. */
type Reason = Pick<Fault, 'code' | 'message'>;

/** How much of a gap is read at a time to find the ends of its lines. */
const WINDOW_BYTES = 64 * 1024;

/** While the log is being written to, the fault of its last line is not known. */
const UNKNOWN: Reason = { code: 'log/invalid-json', message: 'it is not a record' };

const isBlank = (bytes: Buffer): boolean => bytes.every((byte) => byte <= 0x20);

/** Follows a log from record to record, and rereads the lines in between, which may contain whole records. */
export class GapReader {
  readonly #source: Source;
  readonly #likeness: LooksLikeRecord;
  readonly #to: CopyVisitor;
  /** A part of the file, usually with many lines. */
  readonly #window = Buffer.allocUnsafe(WINDOW_BYTES);
  #windowStart = 0;
  #windowEnd = 0;
  /** The number of the next line. */
  #line = 1;
  #at = 0;

  constructor(source: Source, likeness: LooksLikeRecord, to: CopyVisitor) {
    this.#source = source;
    this.#likeness = likeness;
    this.#to = to;
  }

  /** Skips intact records, or reads lines with a fault. */
  async read(item: KeptRun | RepairedRecord | Fault, yielder: Yielder): Promise<void> {
    if (yielder.isDue) await yielder.yield();
    if ('lines' in item) return this.#faulty(item, yielder);
    if ('records' in item) this.#to.kept(item);
    else this.#to.repaired(item);
    this.#line = item.line + ('records' in item ? item.records : 1);
    this.#at = item.byteEnd + 1;
  }

  /** Reads the lines after the last item. */
  async end(bytes: number, yielder: Yielder): Promise<void> {
    while (this.#at < bytes) {
      if (yielder.isDue) await yielder.yield();
      this.#judge(this.#lineEnd(), UNKNOWN);
    }
  }

  async #faulty({ line, lines, byteEnd, ...reason }: Fault, yielder: Yielder): Promise<void> {
    // The lines before it are blank.
    while (this.#line < line) this.#advance(this.#lineEnd());
    for (let index = 0; index < lines; index += 1) {
      if (yielder.isDue) await yielder.yield();
      this.#judge(byteEnd ?? this.#lineEnd(), reason);
    }
  }

  #advance(end: number, lines = 1): void {
    this.#line += lines;
    this.#at = end + 1;
  }

  /** The offset of the newline after the next line, or the end of the file. */
  #lineEnd(): number {
    for (let at = this.#at; at < this.#source.size; at = this.#windowEnd) {
      if (at < this.#windowStart || at >= this.#windowEnd) this.#readWindow(at);
      const newline = this.#window
        .subarray(at - this.#windowStart, this.#windowEnd - this.#windowStart)
        .indexOf(NEWLINE);
      if (newline !== -1) return at + newline;
    }
    return this.#source.size;
  }

  #readWindow(at: number): void {
    const length = Math.min(WINDOW_BYTES, this.#source.size - at);
    this.#source.fill(this.#window.subarray(0, length), at);
    this.#windowStart = at;
    this.#windowEnd = at + length;
  }

  /** The bytes of the next line, followed by the newline that the scanner needs. */
  #bytes(length: number): Buffer {
    const bytes = Buffer.alloc(length + 1, NEWLINE);
    const from = this.#at - this.#windowStart;
    if (from >= 0 && this.#at + length <= this.#windowEnd) this.#window.copy(bytes, 0, from, from + length);
    else this.#source.fill(bytes.subarray(0, length), this.#at);
    return bytes;
  }

  /** Keeps the whole records in the next piece, and goes on to the following one. */
  #judge(byteEnd: number, reason: Reason): void {
    const piece = { line: this.#line, byteStart: this.#at, byteEnd };
    const length = byteEnd - piece.byteStart;
    if (length > MAX_LINE_BYTES) {
      this.#to.lost({ ...piece, ...reason }, true);
      return this.#advance(byteEnd);
    }
    const bytes = this.#bytes(length);
    const { start, end } = strippedRange(bytes, 0, length);
    if (start < end) this.#take(piece, bytes, reason);
    const isSplit = reason.code === 'log/split-record';
    this.#advance(byteEnd, isSplit ? bytes.toString('latin1', 0, length).split('\n').length : 1);
  }

  #take({ line, byteStart, byteEnd }: Piece, bytes: Buffer, reason: Reason): void {
    const length = byteEnd - byteStart;
    const found = this.#found(bytes, length, reason.code, byteEnd < this.#source.size);
    if (found.length === 0) return this.#to.lost({ line, byteStart, byteEnd, ...reason }, true);
    const rangeOf = (from: number, to: number) => ({
      line,
      byteStart: byteStart + from,
      byteEnd: byteStart + to,
    });
    const lose = (from: number, to: number) => {
      if (!isBlank(bytes.subarray(from, to))) this.#to.lost({ ...rangeOf(from, to), ...reason }, false);
    };
    let at = 0;
    for (const { from, to, mended, how } of found) {
      lose(at, from);
      this.#to.repaired({ ...rangeOf(from, to), code: reason.code, how, ...(mended && { mended }) });
      // The original bytes of a repaired record are kept separately.
      if (mended) this.#to.replaced({ ...rangeOf(from, to), ...reason });
      at = to;
    }
    lose(at, length);
  }

  #found(bytes: Buffer, length: number, code: Reason['code'], isEnded: boolean): FoundRecord[] {
    const start = markLength(bytes);
    if (code === 'log/split-record') {
      const mended = joined(bytes.subarray(start, length));
      return [
        { from: 0, to: length, mended, how: 'its raw newlines are escaped, or left out between its parts' },
      ];
    }
    if (code === 'log/non-finite') {
      const mended = withoutNonFinite(bytes.subarray(start, length));
      return [{ from: 0, to: length, mended, how: 'what JSON cannot store is null' }];
    }
    return recordsOn(bytes, start, length, this.#likeness, isEnded);
  }
}
