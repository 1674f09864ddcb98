/** How much of a line an excerpt shows before its place, and in all, in UTF-16 units. */
export const EXCERPT_BEFORE = 60;
export const EXCERPT_LENGTH = 160;

const BYTES_BEFORE = EXCERPT_BEFORE * 4;
const BYTES_AFTER = EXCERPT_LENGTH * 4;
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** How many UTF-16 units the UTF-8 text `bytes[start, end)` has, without decoding it. */
export function utf16Length(bytes: Uint8Array, start: number, end: number): number {
  let units = 0;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (byte < 0x80 || byte >= 0xc0) units += byte >= 0xf0 ? 2 : 1;
  }
  return units;
}

/** Half a character at either end becomes U+FFFD, so that the number of units stays. */
function wholeCharacters(text: string): string {
  return text.replace(/^[\udc00-\udfff]/, '\ufffd').replace(/[\ud800-\udbff]$/, '\ufffd');
}

/**
 * The text around a place of a line: at most {@link EXCERPT_BEFORE} units before it and {@link EXCERPT_LENGTH} in
 * all. The place is therefore at unit `min(column - 1, EXCERPT_BEFORE)` of the excerpt. Bytes that are not UTF-8
 * show as U+FFFD.
 */
export function excerptAround(bytes: Uint8Array, start: number, end: number, place: number): string {
  let from = Math.max(start, place - BYTES_BEFORE);
  while (from < place && isContinuation(bytes[from])) from += 1;
  let to = Math.min(end, place + BYTES_AFTER);
  while (to > place && isContinuation(bytes[to])) to -= 1;
  const before = lenient.decode(bytes.subarray(from, place)).slice(-EXCERPT_BEFORE);
  const after = lenient.decode(bytes.subarray(place, to)).slice(0, EXCERPT_LENGTH - before.length);
  return wholeCharacters(before + after);
}

/** Line and column, from 1, of an offset into a text of several lines, and where that line begins and ends. */
export function placeInText(bytes: Uint8Array, offset: number) {
  let line = 1;
  let lineStart = 0;
  for (
    let newline = bytes.indexOf(0x0a);
    newline !== -1 && newline < offset;
    newline = bytes.indexOf(0x0a, lineStart)
  ) {
    line += 1;
    lineStart = newline + 1;
  }
  const newline = bytes.indexOf(0x0a, offset);
  const lineEnd = newline === -1 ? bytes.length : newline;
  return { line, column: utf16Length(bytes, lineStart, offset) + 1, lineStart, lineEnd };
}
