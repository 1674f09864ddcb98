import type { Corruption } from './corruption.ts';
import type { FastLane } from './fast-lane.ts';
import type { LogRecord } from './record.ts';

/** Lines of a log, one behind the other, each of which the fast lane accepted as a whole record. */
export interface PassedLines {
  /** The reader's buffer, and where the lines stand in it: the end lies behind the newline of the last. */
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  /** The number of the first. */
  readonly line: number;
  readonly count: number;
  /** The file's offset of the first. */
  readonly byteStart: number;
}

/** What a parser hands over, in the order of the file. */
export interface LogVisitor {
  /** A whole record. The window is reused: see {@link LogRecord}. */
  record(record: LogRecord): void;
  /** A line, or several, that are no record. */
  corrupt(corruption: Corruption): void;
  /** A whole record that the fast lane accepted and marked as worth seeing: only its `text` and `value` are known. */
  accepted?(record: LogRecord): void;
  /** Lines that went past without a look of their own. Their bytes hold good only until this returns. */
  passed?(lines: PassedLines): void;
}

/** Where the bytes handed to a parser come from, and the fast lane they may take. */
export interface ParserOptions {
  /** The file's offset of the first byte: the start of a line. */
  readonly offset?: number;
  /** How many lines come before. */
  readonly lines?: number;
  /** Bytes of buffer to begin with. */
  readonly capacity?: number;
  readonly fast?: FastLane | undefined;
}
