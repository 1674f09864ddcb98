import { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, COMMA, isJsonSpace, QUOTE } from './ascii.ts';

/** The offset after the string that begins at `at`, in valid JSON. */
export function afterString(bytes: Uint8Array, at: number): number {
  let next = at + 1;
  while (bytes[next] !== QUOTE) next += bytes[next] === BACKSLASH ? 2 : 1;
  return next + 1;
}

/** The offset after the scalar that begins at `at`, in valid JSON. */
export function afterScalar(bytes: Uint8Array, at: number, end: number): number {
  if (bytes[at] === QUOTE) return afterString(bytes, at);
  let next = at;
  while (next < end) {
    const byte = bytes[next];
    if (byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || isJsonSpace(byte)) break;
    next += 1;
  }
  return next;
}
