import { isJsonSpace, QUOTE } from './ascii.ts';
import { afterString } from './tokens-at.ts';

/** The stored text of a valid value, without white space between tokens. */
export function compactText(bytes: Buffer, start: number, end: number): string {
  const parts: Buffer[] = [];
  let from = start;
  for (let at = start; at < end; ) {
    if (bytes[at] === QUOTE) at = afterString(bytes, at);
    else if (isJsonSpace(bytes[at])) {
      parts.push(bytes.subarray(from, at));
      at += 1;
      from = at;
    } else at += 1;
  }
  return Buffer.concat([...parts, bytes.subarray(from, end)]).toString('utf8');
}
