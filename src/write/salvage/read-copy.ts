import type { Dialect } from '../../dialects/dialect.ts';
import type { Corruption, CorruptionCode } from '../../log/corruption.ts';
import { readLog } from '../../log/read.ts';
import type { LogRecord } from '../../log/record.ts';
import { Turns } from '../../time/turns.ts';
import type { Source } from './files.ts';
import { GapReader } from './gap-reader.ts';
import { Likeness } from './likeness.ts';

/** Records that are whole on lines of their own, one after the other. */
export interface KeptRun {
  /** Physical line from 1. */
  readonly line: number;
  readonly records: number;
  readonly byteStart: number;
  /** Where the newline of the last one is. */
  readonly byteEnd: number;
}

/** A record that is kept, and was not whole on a line of its own. */
export interface RepairedRecord {
  readonly line: number;
  readonly byteStart: number;
  readonly byteEnd: number;
  /** What is written instead of these bytes. */
  readonly mended?: Buffer;
  /** What was wrong. */
  readonly code: string;
  /** What was done. */
  readonly how: string;
}

/** Bytes that are no part of a record. */
export interface LostRange {
  readonly line: number;
  readonly byteStart: number;
  readonly byteEnd: number;
  readonly code: string;
  readonly message: string;
}

/** Receives the contents of a damaged log in the order of the file. */
export interface CopyVisitor {
  kept(run: KeptRun): void;
  repaired(record: RepairedRecord): void;
  /** `isLine`: these are all bytes of a line, without its newline. */
  lost(range: LostRange, isLine: boolean): void;
  /** The bytes of a record that was mended. */
  replaced(range: LostRange): void;
  /** Called now and then. What it returns is awaited. */
  between(): Promise<void>;
}

/** Lines with the same fault, one after the other. */
export interface Fault {
  readonly line: number;
  lines: number;
  readonly code: CorruptionCode;
  message: string;
  /** Where the last line of a record that is split over several lines ends. */
  byteEnd?: number;
}

/** So many faults of a code are explained one by one. Of neighbours beyond them only the first is. */
export const MAX_EXPLAINED = 1000;

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** What was read since the log was last looked at, in the order of the file. */
class Queue {
  readonly #explained = new Map<CorruptionCode, number>();
  #items: (KeptRun | RepairedRecord | Fault)[] = [];
  #run: { -readonly [Key in keyof KeptRun]: KeptRun[Key] } | undefined;
  #fault: Fault | undefined;

  record({ line, byteStart, byteEnd, bytes, start }: LogRecord): void {
    // A byte order mark is no fault of the whole record that follows it.
    if (this.#fault?.line === line) this.#items.pop();
    this.#fault = undefined;
    if (bytes.subarray(start, start + 3).equals(BYTE_ORDER_MARK)) {
      const how = 'the byte order mark before it is left out';
      this.#items.push({ line, byteStart: byteStart + 3, byteEnd, code: 'log/bom', how });
    } else if (this.#run?.byteEnd === byteStart - 1) {
      this.#run.records += 1;
      this.#run.byteEnd = byteEnd;
    } else {
      this.#run = { line, records: 1, byteStart, byteEnd };
      this.#items.push(this.#run);
    }
  }

  /** Notes a fault. Returns whether to explain it. */
  fault(code: CorruptionCode, line: number): boolean {
    this.#run = undefined;
    const last = this.#fault;
    // A line has the first of its faults; after a byte order mark, the other one.
    const isSame = last !== undefined && last.line + last.lines - 1 === line;
    if (isSame && last.code !== 'log/bom') return false;
    if (isSame) this.#items.pop();
    const explained = this.#explained.get(code) ?? 0;
    const isNext = last?.code === code && last.line + last.lines === line;
    if (isNext && explained >= MAX_EXPLAINED && code !== 'log/split-record') {
      last.lines += 1;
      return false;
    }
    this.#explained.set(code, explained + 1);
    this.#fault = { line, lines: 1, code, message: '' };
    this.#items.push(this.#fault);
    return true;
  }

  /** What was wrong on the line whose fault was noted last. */
  explain({ message, byteEnd }: Corruption): void {
    const fault = this.#fault as Fault;
    fault.message = message;
    if (fault.code === 'log/split-record') fault.byteEnd = byteEnd;
  }

  /** Everything that was read, once. A byte order mark waits for what follows it on its line. */
  take(): readonly (KeptRun | RepairedRecord | Fault)[] {
    const waiting = this.#fault?.code === 'log/bom' ? this.#items.splice(-1) : [];
    const items = this.#items;
    this.#items = waiting;
    this.#run = undefined;
    if (waiting.length === 0) this.#fault = undefined;
    return items;
  }
}

/** What most records of a log have in common. Reads as far as it needs to. */
async function likenessOf(path: string, dialect: Dialect, fileName: string): Promise<Likeness> {
  const likeness = new Likeness(dialect, fileName);
  await readLog(path, {
    record: (record) => likeness.learn(record),
    wants: () => false,
    corrupt: () => {},
    between: () => !likeness.isSure,
  });
  return likeness;
}

/**
 * Reads a damaged log: every whole record in the order of the file, and the bytes that are none. Memory stays flat
 * whatever the length.
 */
export async function readCopy(
  source: Source,
  dialect: Dialect,
  fileName: string,
  visitor: CopyVisitor,
): Promise<void> {
  const likeness = await likenessOf(source.path, dialect, fileName);
  const gaps = new GapReader(source, likeness.test, visitor);
  const queue = new Queue();
  const turns = new Turns();
  const look = async () => {
    for (const item of queue.take()) await gaps.read(item, turns);
    await visitor.between();
  };
  const { bytes } = await readLog(source.path, {
    record: (record) => queue.record(record),
    wants: (code, line) => queue.fault(code, line),
    corrupt: (corruption) => queue.explain(corruption),
    between: async () => {
      await look();
      return true;
    },
  });
  await look();
  await gaps.end(bytes, turns);
  await visitor.between();
}
