import { NEWLINE } from '../json/ascii.ts';

/** Goes through lines that stand one behind the other in `[start, end)`; each ends with a newline. */
export function* eachLine(
  bytes: Buffer,
  start: number,
  end: number,
): Generator<{ start: number; end: number }> {
  while (start < end) {
    const newline = bytes.indexOf(NEWLINE, start);
    yield { start, end: newline };
    start = newline + 1;
  }
}
