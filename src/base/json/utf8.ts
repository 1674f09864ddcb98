import { isUtf8 } from 'node:buffer';

/** The first sequence in `bytes[start, end)` that is not UTF-8. */
export function invalidSequence(bytes: Uint8Array, start: number, end: number): { from: number; to: number } {
  let good = start;
  let bad = end;
  // Binary search: a prefix is valid up to its last whole character.
  while (bad - good > 8) {
    let middle = (good + bad) >> 1;
    while (middle > good && ((bytes[middle] as number) & 0xc0) === 0x80) middle -= 1;
    if (middle === good) break;
    if (isUtf8(bytes.subarray(good, middle))) good = middle;
    else bad = middle;
  }
  let from = good;
  while (from < end) {
    let length = 1;
    while (length < 4 && !isUtf8(bytes.subarray(from, from + length))) length += 1;
    if (from + length > end || !isUtf8(bytes.subarray(from, from + length))) break;
    from += length;
  }
  let to = from + 1;
  while (to < end && to < from + 4 && ((bytes[to] as number) & 0xc0) === 0x80) to += 1;
  return { from, to };
}
