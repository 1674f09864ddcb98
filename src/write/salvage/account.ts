import { NEWLINE } from '../../base/json/ascii.ts';
import { forOutput } from '../../base/json/output.ts';
import { Yielder } from '../../base/time/yielder.ts';
import type { KeptLine, LostLine, RepairedLine, SummaryLine } from '../../read/outputs/salvage.ts';
import type { CopyVisitor, KeptRun, LostRange, RepairedRecord } from './copy-visitor.ts';
import type { Output, Source } from './files.ts';
import { MAX_EXPLAINED } from './read-copy.ts';

export type SalvageSummary = Readonly<SummaryLine>;

export type SalvageEntry = Readonly<KeptLine> | Readonly<RepairedLine> | Readonly<LostLine> | SalvageSummary;

/** The output files. */
interface Outputs {
  readonly log: Output;
  readonly rejected: Output;
  readonly account: Output;
}

/** Receives entries in file order. */
export type OnEntries = (entries: readonly SalvageEntry[]) => Promise<void> | void;

const END_OF_LINE = Buffer.of(NEWLINE);

/** The number of entries written at a time. */
const ENTRIES_AT_ONCE = 1000;

/**
 * Writes the kept records and the rejected bytes, with an entry for each place. Consecutive records share an entry. After
 * the first thousand entries of a code, so do consecutive lost lines.
 */
export class Account implements CopyVisitor {
  records = 0;
  repairs = 0;
  losses = 0;
  lostBytes = 0;
  readonly #source: Source;
  readonly #to: Outputs;
  readonly #onEntries: OnEntries | undefined;
  readonly #entriesOf = new Map<string, number>();
  #entries: SalvageEntry[] = [];
  /** The last entry, if the next item may extend it. */
  #open: KeptLine | LostLine | undefined;

  constructor(source: Source, to: Outputs, onEntries?: OnEntries) {
    this.#source = source;
    this.#to = to;
    this.#onEntries = onEntries;
  }

  kept({ line, records, byteStart, byteEnd }: KeptRun): void {
    this.#copy(byteStart, byteEnd, this.#to.log);
    this.#to.log.write(END_OF_LINE);
    this.records += records;
    const open = this.#open;
    if (open?.kind === 'kept' && open.byteEnd + 1 === byteStart) {
      open.records += records;
      open.byteEnd = byteEnd;
      return;
    }
    this.#add();
    this.#open = { kind: 'kept', source: this.#source.path, line, records, byteStart, byteEnd };
  }

  /** A JSON document: its bytes before `byteEnd`, and what closes it. */
  document(records: number, byteEnd: number, end: Uint8Array): void {
    this.#copy(0, byteEnd, this.#to.log);
    this.#to.log.write(end);
    this.records += records;
    this.#add({ kind: 'kept', source: this.#source.path, line: 1, records, byteStart: 0, byteEnd });
  }

  repaired({ mended, line, byteStart, byteEnd, code, how }: RepairedRecord): void {
    if (mended) this.#to.log.write(mended);
    else this.#copy(byteStart, byteEnd, this.#to.log);
    this.#to.log.write(END_OF_LINE);
    this.repairs += 1;
    this.#add({ kind: 'repaired', source: this.#source.path, line, byteStart, byteEnd, code, how });
  }

  lost(range: LostRange, isLine: boolean): void {
    const { line, byteStart, byteEnd, code } = range;
    this.losses += 1;
    this.lostBytes += byteEnd - byteStart;
    const open = this.#open;
    if (isLine && open?.kind === 'lost' && open.code === code) {
      this.#copy(open.byteEnd, byteEnd, this.#to.rejected);
      open.lines = line - open.line + 1;
      open.byteEnd = byteEnd;
      open.rejectedEnd = this.#to.rejected.size;
      return;
    }
    const entry = this.#rejected('lost', range);
    const entries = (this.#entriesOf.get(code) ?? 0) + 1;
    this.#entriesOf.set(code, entries);
    if (isLine && entries > MAX_EXPLAINED) {
      this.#add();
      this.#open = entry;
    } else this.#add(entry);
  }

  replaced(range: LostRange): void {
    this.#add(this.#rejected('replaced', range));
  }

  /** Writes the entries so far. */
  async between(): Promise<void> {
    const entries = this.#entries;
    this.#entries = [];
    const yielder = new Yielder();
    for (let at = 0; at < entries.length; at += ENTRIES_AT_ONCE) {
      if (yielder.isDue) await yielder.yield();
      const some = entries.slice(at, at + ENTRIES_AT_ONCE);
      this.#to.account.write(
        Buffer.from(some.map((entry) => `${JSON.stringify(forOutput(entry))}\n`).join('')),
      );
      await this.#onEntries?.(some);
    }
  }

  /** Writes the last entries. */
  async end(summary: SalvageSummary): Promise<void> {
    this.#add(summary);
    await this.between();
  }

  #add(entry?: SalvageEntry): void {
    if (this.#open) this.#entries.push(this.#open);
    this.#open = undefined;
    if (entry) this.#entries.push(entry);
  }

  #rejected(kind: LostLine['kind'], range: LostRange): LostLine {
    const rejectedStart = this.#to.rejected.size;
    this.#copy(range.byteStart, range.byteEnd, this.#to.rejected);
    return { kind, source: this.#source.path, ...range, rejectedStart, rejectedEnd: this.#to.rejected.size };
  }

  #copy(from: number, to: number, output: Output): void {
    for (const piece of this.#source.read(from, to)) output.write(piece);
  }
}
