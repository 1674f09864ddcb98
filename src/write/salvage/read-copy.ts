import { Yielder } from '../../base/time/yielder.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import type { Corruption, CorruptionCode } from '../../log/corruption.ts';
import { markLength } from '../../log/line-text.ts';
import { readLog } from '../../log/read.ts';
import type { LogRecord } from '../../log/record.ts';
import type { CopyVisitor, Fault, KeptRun, RepairedRecord } from './copy-visitor.ts';
import type { Source } from './files.ts';
import { GapReader } from './gap-reader.ts';
import { Likeness } from './likeness.ts';

/**
 * The number of faults per code that are explained individually. After that, only the first of consecutive
 * faults is.
 */
export const MAX_EXPLAINED = 1000;

/** Items read since the last call of `take`, in file order. */
class Queue {
  readonly #explained = new Map<CorruptionCode, number>();
  #items: (KeptRun | RepairedRecord | Fault)[] = [];
  #run: { -readonly [Key in keyof KeptRun]: KeptRun[Key] } | undefined;
  #fault: Fault | undefined;

  record({ line, byteStart, byteEnd, bytes, start }: LogRecord): void {
    // A byte order mark is not a fault of the record after it.
    if (this.#fault?.line === line) this.#items.pop();
    this.#fault = undefined;
    const mark = markLength(bytes.subarray(start));
    if (mark > 0) {
      const how = 'the byte order mark before it was removed';
      this.#items.push({ line, byteStart: byteStart + mark, byteEnd, code: 'log/bom', how });
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
    // A line has one fault, its first, unless that is a byte order mark.
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

  /** Explains the fault that was noted last. */
  explain({ message, byteEnd }: Corruption): void {
    const fault = this.#fault as Fault;
    fault.message = message;
    if (fault.code === 'log/split-record') fault.byteEnd = byteEnd;
  }

  /** Returns all items once. A byte order mark waits for the rest of its line. */
  take(): readonly (KeptRun | RepairedRecord | Fault)[] {
    const waiting = this.#fault?.code === 'log/bom' ? this.#items.splice(-1) : [];
    const items = this.#items;
    this.#items = waiting;
    this.#run = undefined;
    if (waiting.length === 0) this.#fault = undefined;
    return items;
  }
}

/** Learns what most records of a log have in common. Reads only as far as necessary. */
async function likenessOf(path: string, dialect: Dialect, fileName: string): Promise<Likeness> {
  const likeness = new Likeness(dialect, fileName);
  await readLog(path, dialect.form.takingGlued(false), {
    record: (record) => likeness.learn(record),
    wants: () => false,
    between: () => !likeness.isSure,
  });
  return likeness;
}

/**
 * Reads a damaged log: whole records, and bytes that are not records, in file order. Memory use does not
 * depend on the length.
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
  const yielder = new Yielder();
  const look = async () => {
    for (const item of queue.take()) await gaps.read(item, yielder);
    await visitor.between();
  };
  const { bytes } = await readLog(source.path, dialect.form.takingGlued(false), {
    record: (record) => queue.record(record),
    wants: (code, line) => queue.fault(code, line),
    corrupt: (corruption) => queue.explain(corruption),
    between: async () => {
      await look();
      return true;
    },
  });
  await look();
  await gaps.end(bytes, yielder);
  await visitor.between();
}
