import { Turns } from '../../time/turns.ts';
import type { LostRange, ReadCopy } from './read-copy.ts';

/** Records that were whole on lines of their own, one behind the other. */
export interface KeptEntry {
  readonly kind: 'kept';
  readonly source: string;
  /** The first line, from 1, and how many records: each on the line after that of the one before. */
  readonly line: number;
  readonly records: number;
  /** Offsets into the source. */
  readonly byteStart: number;
  readonly byteEnd: number;
}

/** A record that was got out of what was none. */
export interface RepairedEntry {
  readonly kind: 'repaired';
  readonly source: string;
  readonly line: number;
  readonly byteStart: number;
  readonly byteEnd: number;
  readonly code: string;
  readonly how: string;
}

/** Bytes that are no record, or that were one only once it was mended: they lie in the file of what was rejected. */
export interface LostEntry extends Omit<LostRange, 'replaced'> {
  readonly kind: 'lost' | 'replaced';
  readonly source: string;
  /** Offsets into the file of what was rejected. */
  readonly rejectedStart: number;
  readonly rejectedEnd: number;
}

/** What came of it all. */
export interface SalvageSummary {
  readonly kind: 'summary';
  /** The damaged log. */
  readonly sources: readonly string[];
  /** Whole on a line of their own, and got out of what was none. */
  readonly kept: number;
  readonly repaired: number;
  /** Places that were lost, and their bytes. */
  readonly lost: number;
  readonly lostBytes: number;
  /** Of the log that was written. */
  readonly sha256: string;
  readonly bytes: number;
  /** The log is byte for byte the one that the episode's seal lists: the seal was kept. */
  readonly sealed: boolean;
  /** Files that belong to the damaged log alone, and were not copied. */
  readonly leftOut: readonly string[];
}

export type SalvageEntry = KeptEntry | RepairedEntry | LostEntry | SalvageSummary;

/** One entry for records that follow each other. */
export async function keptEntries({ path: source, kept }: ReadCopy): Promise<SalvageEntry[]> {
  const entries: SalvageEntry[] = [];
  const turns = new Turns();
  let open: (KeptEntry & { records: number; byteEnd: number }) | undefined;
  for (const { line, byteStart, byteEnd, repair } of kept) {
    if (turns.isDue) await turns.give();
    if (repair) {
      open = undefined;
      entries.push({ kind: 'repaired', source, line, byteStart, byteEnd, ...repair });
    } else if (open && open.line + open.records === line && open.byteEnd < byteStart) {
      open.records += 1;
      open.byteEnd = byteEnd;
    } else {
      open = { kind: 'kept', source, line, records: 1, byteStart, byteEnd };
      entries.push(open);
    }
  }
  return entries;
}
