import type { Corruption, CorruptionCode } from './corruption.ts';
import type { LogRecord } from './record.ts';
import type { Row, RowSource } from './row.ts';

/** What a parser hands over, in the order of the file. */
export interface LogVisitor {
  /** A whole record. The window is reused: see {@link LogRecord}. */
  record?(record: LogRecord): void;
  /** The same where the log is read as rows: each record once, as a row. */
  row?(row: Row): void;
  /**
   * Whether to describe a corruption; if not, `corrupt` does not get it, and it is only counted. A log may have
   * millions of corrupt lines, and their excerpts cost far more than finding them.
   */
  wants?(code: CorruptionCode, line: number): boolean;
  /** A line, or several, that are no record. */
  corrupt(corruption: Corruption): void;
}

/** Where the bytes handed to a parser come from, and what makes rows of them. */
export interface ParserOptions {
  /** The file's offset of the first byte: the start of a line. */
  readonly offset?: number;
  /** How many lines come before. */
  readonly lines?: number;
  /** Bytes of buffer to begin with. */
  readonly capacity?: number;
  /** Makes a row of each record. */
  readonly rows?: RowSource | undefined;
}
