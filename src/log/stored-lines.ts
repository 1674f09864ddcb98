import { NEWLINE } from '../json/ascii.ts';
import { parseExactJson } from '../json/parse.ts';
import type { JsonObject } from '../json/value.ts';

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

/**
 * The event of a stored line, its numbers as they are stored. The line may have white space around it that JSON does
 * not know but the runtime does.
 */
export function parseStored(text: string): JsonObject {
  return parseExactJson(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)) as JsonObject;
}
