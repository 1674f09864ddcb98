import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  isDigit,
  isJsonSpace,
  NEWLINE,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SPACE,
} from './ascii.ts';

/**
 * Copies the JSON of a value to `into[at]` with the layout of writeJson, `depth` levels deep. Returns the end
 * offset. Returns -1 if there is no room, or if parsing and printing may change more than white space: with
 * escapes, and with keys that begin with a digit, which an engine may move to the front.
 */
export function indentInto(
  json: Uint8Array,
  into: Uint8Array,
  at: number,
  indent: number,
  depth: number,
): number {
  let [to, margin, key] = [at, indent * depth, 0];
  const line = (): void => {
    if (indent === 0) return;
    into[to++] = NEWLINE;
    for (const end = to + margin; to < end; to += 1) into[to] = SPACE;
  };
  for (let from = 0; from < json.length; from += 1) {
    const byte = json[from] as number;
    // Writes beyond the end are ignored, but still counted.
    if (to > into.length) return -1;
    if (isJsonSpace(byte)) continue;
    if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      margin -= indent;
      line();
    }
    into[to++] = byte;
    if (byte === QUOTE) {
      key = json[from + 1] as number;
      do {
        from += 1;
        if (json[from] === BACKSLASH) return -1;
        into[to++] = json[from] as number;
      } while (json[from] !== QUOTE);
    } else if (byte === COLON) {
      if (isDigit(key)) return -1;
      if (indent > 0) into[to++] = SPACE;
    } else if (byte === COMMA) line();
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      let next = from + 1;
      while (isJsonSpace(json[next])) next += 1;
      if (json[next] === CLOSE_BRACE || json[next] === CLOSE_BRACKET) {
        into[to++] = json[next] as number;
        from = next;
      } else {
        margin += indent;
        line();
      }
    }
  }
  return to > into.length ? -1 : to;
}
