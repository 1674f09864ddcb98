import { NEWLINE, OPEN_BRACE } from '../json/ascii.ts';
import { JsonScanner } from '../json/scanner.ts';
import { LogRecord } from '../log/record.ts';

/** Lines of a log that are wanted: whole records, as they are stored, each with its newline. */
export interface TakenLines {
  readonly bytes: Buffer;
  readonly count: number;
  /** The number that a line has in its log; `index` counts from 0. */
  line(index: number): number;
}

/** Lines that follow each other in their log; `first` is the number of the first. */
export function linesInARow(bytes: Buffer, first: number, count: number): TakenLines {
  return { bytes, count, line: (index) => first + index };
}

/** The records of taken lines, one after the other in one window: see {@link LogRecord}. */
export function* recordsOf({ bytes, count, line }: TakenLines): Generator<LogRecord> {
  const scanner = new JsonScanner();
  const record = new LogRecord(scanner);
  let start = 0;
  for (let index = 0; index < count; index += 1) {
    const end = bytes.indexOf(NEWLINE, start);
    // White space around a record that JSON does not know is legal in a log: the scan is to see none before it, and
    // what it makes of any behind it does not matter.
    const open = bytes.indexOf(OPEN_BRACE, start);
    scanner.scan(bytes, open, end);
    yield record.moveTo(bytes, open, end, line(index), 0);
    start = end + 1;
  }
}
