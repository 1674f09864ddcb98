import type { Corruption, CorruptionCode } from './corruption.ts';
import type { LogRecord } from './record.ts';
import type { Row } from './row.ts';

/** Receives the output of a parser in file order. */
export interface LogVisitor {
  /** A whole record. The window is reused: see {@link LogRecord}. */
  record?(record: LogRecord): void;
  /** A record as a row, if the log is read as rows. */
  row?(row: Row): void;
  /**
   * Whether to describe a corruption; otherwise `corrupt` does not receive it, and it is only counted. A log
   * may have millions of corrupt lines, and excerpts cost far more than finding them.
   */
  wants?(code: CorruptionCode, line: number): boolean;
  /** One or more lines that are not a valid record. Without it, they are only counted. */
  corrupt?(corruption: Corruption): void;
}

export interface ParserOptions {
  /** The file offset of the first byte, which is the start of a line. */
  readonly offset?: number;
  /** The number of lines before it. */
  readonly lines?: number;
  /** The initial size of the buffer in bytes. */
  readonly capacity?: number;
}
