import { closeSync, openSync, readSync } from 'node:fs';
import type { Dialect } from '../../dialects/dialect.ts';
import { NEWLINE } from '../../json/ascii.ts';
import { parseJson } from '../../json/parse.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Corruption } from '../../log/corruption.ts';
import { MAX_LINE_BYTES } from '../../log/limits.ts';
import { readLog } from '../../log/read.ts';
import type { LogRecord } from '../../log/record.ts';
import { strippedRange } from '../../log/strip.ts';
import { Turns } from '../../time/turns.ts';
import {
  type FoundRecord,
  joined,
  type LooksLikeRecord,
  recordsOn,
  withoutNonFinite,
} from './whole-records.ts';

/** A record that is kept: the bytes of its line in the file, or others. */
export interface KeptRecord {
  /** Physical line from 1. */
  readonly line: number;
  readonly byteStart: number;
  readonly byteEnd: number;
  /** What is written where that is not what stands there. */
  readonly mended?: Buffer;
  /** Of a record that was not whole on a line of its own: what was wrong, and what was done. */
  readonly repair?: { readonly code: string; readonly how: string };
}

/** Bytes that are no part of a record. */
export interface LostRange {
  readonly line: number;
  readonly byteStart: number;
  readonly byteEnd: number;
  readonly code: string;
  readonly message: string;
  /** The record that stands there was mended and kept: these are the bytes as they were. */
  readonly replaced?: true;
}

/** What one damaged copy of a log holds. */
export interface ReadCopy {
  readonly path: string;
  readonly bytes: number;
  readonly kept: readonly KeptRecord[];
  readonly lost: readonly LostRange[];
}

/** A range of lines without a whole record on a line of its own. */
interface Gap {
  readonly line: number;
  readonly from: number;
  readonly to: number;
}

/** Records that tell what the records of this log have in common. */
const SAMPLE = 50;

/** What every record of a log has: learned from those that are whole. */
class Likeness {
  readonly #dialect: Dialect;
  readonly #fileName: string;
  #common: Set<string> | undefined;
  #seen = 0;

  constructor(dialect: Dialect, fileName: string) {
    this.#dialect = dialect;
    this.#fileName = fileName;
  }

  learn(record: LogRecord): void {
    if (this.#seen >= SAMPLE) return;
    this.#seen += 1;
    const keys = Object.keys(record.value);
    this.#common = new Set(this.#common ? keys.filter((key) => this.#common?.has(key)) : keys);
  }

  readonly test: LooksLikeRecord = (text, strictly) => {
    const value = parseJson(text) as JsonObject;
    const common = [...(this.#common ?? [])];
    const shared = common.filter((key) => Object.hasOwn(value, key)).length;
    // What a single record has may be its own.
    const mustHave = strictly && this.#seen > 1 ? common.length : common.length / 2;
    const isAlike = shared >= mustHave;
    return isAlike && this.#isOfDialect(value);
  };

  #isOfDialect(value: JsonObject): boolean {
    const { detect } = this.#dialect;
    return (
      detect({ fileName: '', records: [value] }) || detect({ fileName: this.#fileName, records: [value] })
    );
  }
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

function keptOf(record: LogRecord): KeptRecord {
  const { line, byteStart, byteEnd, bytes, start } = record;
  if (!bytes.subarray(start, start + 3).equals(BYTE_ORDER_MARK)) return { line, byteStart, byteEnd };
  const how = 'the byte order mark before it is left out';
  return { line, byteStart: byteStart + 3, byteEnd, repair: { code: 'log/bom', how } };
}

/** Reads the whole records, and says where lines are that hold none. */
class CopyReader {
  readonly #likeness: Likeness;
  readonly kept: KeptRecord[] = [];
  readonly gaps: Gap[] = [];
  readonly corruptions: Corruption[] = [];
  #line = 1;
  #end = 0;

  constructor(likeness: Likeness) {
    this.#likeness = likeness;
  }

  record(record: LogRecord): void {
    this.#gapBefore(record.byteStart);
    this.#likeness.learn(record);
    this.kept.push(keptOf(record));
    this.#line = record.line + 1;
    this.#end = record.byteEnd + 1;
  }

  corrupt(corruption: Corruption): void {
    this.corruptions.push(corruption);
  }

  end(bytes: number): void {
    this.#gapBefore(bytes);
  }

  #gapBefore(to: number): void {
    if (to > this.#end) this.gaps.push({ line: this.#line, from: this.#end, to });
  }
}

/** A line, or the lines of one record, with the newline that the scanner needs behind it. */
interface Piece {
  readonly line: number;
  readonly lines: number;
  readonly byteStart: number;
  readonly byteEnd: number;
  readonly isEnded: boolean;
}

/** So much of a gap is read at a time to find where its lines end. */
const WINDOW_BYTES = 64 * 1024;

/** What is found in the gaps of a copy. */
class GapReader {
  readonly kept: KeptRecord[] = [];
  readonly lost: LostRange[] = [];
  readonly #file: number;
  readonly #likeness: LooksLikeRecord;
  readonly #corruptions: readonly Corruption[];
  /** A part of the file, in which mostly many lines end. */
  readonly #window = Buffer.allocUnsafe(WINDOW_BYTES);
  #windowStart = 0;
  #windowEnd = 0;
  #next = 0;

  constructor(file: number, likeness: LooksLikeRecord, corruptions: readonly Corruption[]) {
    this.#file = file;
    this.#likeness = likeness;
    this.#corruptions = [...corruptions].sort((a, b) => a.byteStart - b.byteStart);
  }

  async read({ line: first, from, to }: Gap, turns: Turns): Promise<void> {
    let line = first;
    for (let at = from; at < to; ) {
      if (turns.isDue) await turns.give();
      const corruption = this.#corruptionFrom(at);
      const isSplit = corruption?.code === 'log/split-record' && corruption.byteStart - at < 4;
      const end = isSplit ? corruption.byteEnd : this.#lineEnd(at, to);
      const piece = { line, lines: 1, byteStart: at, byteEnd: end, isEnded: end < to };
      const lines = this.#judge(piece, isSplit);
      line += lines;
      at = end + 1;
    }
  }

  /** The first corruption from a place on. */
  #corruptionFrom(at: number): Corruption | undefined {
    while ((this.#corruptions[this.#next]?.byteStart ?? at) < at) this.#next += 1;
    return this.#corruptions[this.#next];
  }

  /** Where the newline stands that ends a line, or where the gap ends. */
  #lineEnd(from: number, to: number): number {
    for (let at = from; at < to; at = this.#windowEnd) {
      if (at < this.#windowStart || at >= this.#windowEnd) this.#readWindow(at);
      // The file was cut meanwhile.
      if (this.#windowEnd === at) break;
      const end = Math.min(this.#windowEnd, to);
      const inSight = this.#window.subarray(at - this.#windowStart, end - this.#windowStart);
      const newline = inSight.indexOf(NEWLINE);
      if (newline !== -1) return at + newline;
    }
    return to;
  }

  #readWindow(at: number): void {
    this.#windowStart = at;
    this.#windowEnd = at + readSync(this.#file, this.#window, 0, WINDOW_BYTES, at);
  }

  /** Keeps what is whole of a piece, and gives the number of its lines. */
  #judge(piece: Piece, isSplit: boolean): number {
    const { byteStart, byteEnd, line } = piece;
    const length = byteEnd - byteStart;
    if (length > MAX_LINE_BYTES) {
      this.#lose(piece, byteStart, byteEnd);
      return 1;
    }
    const bytes = Buffer.alloc(length + 1, NEWLINE);
    readSync(this.#file, bytes, 0, length, byteStart);
    const { start, end } = strippedRange(bytes, 0, length);
    if (start === end) return 1;
    const lines = isSplit ? bytes.subarray(0, length).toString('latin1').split('\n').length : 1;
    const found = this.#found(piece, bytes, length, isSplit);
    let at = 0;
    for (const { from, to, mended, how } of found) {
      if (bytes.subarray(at, from).some((byte) => byte > 0x20))
        this.#lose(piece, byteStart + at, byteStart + from);
      this.kept.push({
        line,
        byteStart: byteStart + from,
        byteEnd: byteStart + to,
        ...(mended && { mended }),
        repair: { code: this.#reason(piece).code, how },
      });
      // What was mended is no longer what it was: its own bytes are kept beside.
      if (mended) this.#lose(piece, byteStart + from, byteStart + to, true);
      at = to;
    }
    if (at < length && bytes.subarray(at, length).some((byte) => byte > 0x20))
      this.#lose(piece, byteStart + at, byteEnd);
    else if (found.length === 0) this.#lose(piece, byteStart, byteEnd);
    return lines;
  }

  #found(piece: Piece, bytes: Buffer, length: number, isSplit: boolean): FoundRecord[] {
    const { code } = this.#reason(piece);
    if (isSplit) {
      const mended = joined(bytes.subarray(0, length));
      return [
        { from: 0, to: length, mended, how: 'its raw newlines are escaped, or left out between its parts' },
      ];
    }
    if (code === 'log/non-finite') {
      const mended = withoutNonFinite(bytes.subarray(0, length));
      return [{ from: 0, to: length, mended, how: 'what JSON has no form for is null' }];
    }
    return recordsOn(bytes, 0, length, this.#likeness, piece.isEnded);
  }

  #reason({ byteStart, byteEnd }: Piece): { readonly code: string; readonly message: string } {
    const found = this.#corruptionFrom(byteStart);
    /* v8 ignore next -- a gap is made of corrupt lines, unless the file is written to meanwhile */
    if (!found || found.byteStart > byteEnd) return { code: 'log/invalid-json', message: 'it is no record' };
    return found;
  }

  #lose(piece: Piece, byteStart: number, byteEnd: number, replaced = false): void {
    const { code, message } = this.#reason(piece);
    this.lost.push({ line: piece.line, byteStart, byteEnd, code, message, ...(replaced && { replaced }) });
  }
}

/** Reads a damaged log: every whole record in the order of the file, and the bytes that are none. */
export async function readCopy(path: string, dialect: Dialect, fileName: string): Promise<ReadCopy> {
  const likeness = new Likeness(dialect, fileName);
  const reader = new CopyReader(likeness);
  const { bytes } = await readLog(path, {
    record: reader.record.bind(reader),
    corrupt: reader.corrupt.bind(reader),
  });
  reader.end(bytes);
  const file = openSync(path, 'r');
  try {
    const gaps = new GapReader(file, likeness.test, reader.corruptions);
    const turns = new Turns();
    for (const gap of reader.gaps) await gaps.read(gap, turns);
    const kept = [...reader.kept, ...gaps.kept].sort((a, b) => a.byteStart - b.byteStart);
    return { path, bytes, kept, lost: gaps.lost };
  } finally {
    closeSync(file);
  }
}
