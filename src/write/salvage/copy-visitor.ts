import type { CorruptionCode } from '../../log/corruption.ts';

/** Intact records on consecutive lines. */
export interface KeptRun {
  /** The physical line, from 1. */
  readonly line: number;
  readonly records: number;
  readonly byteStart: number;
  /** The offset of the last newline. */
  readonly byteEnd: number;
}

/** A record that is kept although its line was damaged. */
export interface RepairedRecord {
  readonly line: number;
  readonly byteStart: number;
  readonly byteEnd: number;
  /** The repaired line, if the bytes had to be changed. */
  readonly mended?: Buffer;
  /** The code of the fault. */
  readonly code: string;
  /** The repair, in a few words. */
  readonly how: string;
}

/** Bytes that belong to no record. */
export interface LostRange {
  readonly line: number;
  readonly byteStart: number;
  readonly byteEnd: number;
  readonly code: string;
  readonly message: string;
}

/** Receives the contents of a damaged log in file order. */
export interface CopyVisitor {
  kept(run: KeptRun): void;
  repaired(record: RepairedRecord): void;
  /** `isLine`: the range is a whole line without its newline. */
  lost(range: LostRange, isLine: boolean): void;
  /** The original bytes of a repaired record. */
  replaced(range: LostRange): void;
  /** Called now and then. Its result is awaited. */
  between(): Promise<void>;
}

/** Consecutive lines with the same fault. */
export interface Fault {
  readonly line: number;
  lines: number;
  readonly code: CorruptionCode;
  message: string;
  /** The end of the last line, if a record is split over several lines. */
  byteEnd?: number;
}
