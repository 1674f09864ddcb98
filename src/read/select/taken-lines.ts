import { NEWLINE, OPEN_BRACE } from '../../base/json/ascii.ts';
import { JsonScanner } from '../../base/json/scanner.ts';
import type { LogForm } from '../../log/log-form.ts';
import { LogRecord } from '../../log/record.ts';

/** Selected lines of a log: whole records as stored, each with its newline. */
export interface TakenLines {
  readonly bytes: Buffer;
  readonly count: number;
  /** The line number in the log; `index` counts from 0. */
  line(index: number): number;
}

/** A copy of a stored line, with its newline. */
export interface HeldLine {
  readonly bytes: Buffer;
  /** Its number in the log. */
  readonly line: number;
}

export const heldLine = ({ printedBytes, line }: LogRecord): HeldLine => ({
  bytes: Buffer.concat([printedBytes, Buffer.of(NEWLINE)]),
  line,
});

/** Copied lines, to be printed at once. */
export const together = (lines: readonly HeldLine[]): TakenLines => ({
  bytes: Buffer.concat(lines.map(({ bytes }) => bytes)),
  count: lines.length,
  line: (index) => lines[index]?.line ?? 0,
});

/** Keeps the last n lines. */
export class LastLines {
  readonly #most: number;
  #lines: HeldLine[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  add(line: HeldLine): void {
    this.#lines.push(line);
    // Drops several at once, because the others move.
    if (this.#lines.length > 2 * this.#most) this.#lines = this.take();
  }

  take(): HeldLine[] {
    return this.#lines.slice(Math.max(0, this.#lines.length - this.#most));
  }
}

/** Yields the records of lines, those of older forms in the newest one, in one reused window: see {@link LogRecord}. */
export function* recordsOf({ bytes, count, line }: TakenLines, form: LogForm): Generator<LogRecord> {
  const scanner = new JsonScanner();
  const record = new LogRecord(scanner, form);
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
