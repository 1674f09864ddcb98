import { NEWLINE, OPEN_BRACE } from '../json/ascii.ts';
import { JsonScanner } from '../json/scanner.ts';
import { LogRecord } from '../log/record.ts';

/** Selected lines of a log: whole records as stored, each with its newline. */
export interface TakenLines {
  readonly bytes: Buffer;
  readonly count: number;
  /** The line number in the log; `index` counts from 0. */
  line(index: number): number;
}

/** Consecutive lines; `first` is the first line number. */
export function linesInARow(bytes: Buffer, first: number, count: number): TakenLines {
  return { bytes, count, line: (index) => first + index };
}

/** Yields the records of lines in one reused window: see {@link LogRecord}. */
export function* recordsOf({ bytes, count, line }: TakenLines): Generator<LogRecord> {
  const scanner = new JsonScanner();
  const record = new LogRecord(scanner);
  let start = 0;
  for (let index = 0; index < count; index += 1) {
    const end = bytes.indexOf(NEWLINE, start);
    // Skips white space that JSON does not allow before a record. Anything after the record does not matter.
    const open = bytes.indexOf(OPEN_BRACE, start);
    scanner.scan(bytes, open, end);
    yield record.moveTo(bytes, open, end, line(index), 0);
    start = end + 1;
  }
}
