import { isUtf8 } from 'node:buffer';
import { explainFault } from './explain.ts';
import { JsonScanner } from './scanner.ts';
import type { JsonValue } from './value.ts';

/** What came of reading a file as one JSON document. */
export type DocumentOutcome =
  | {
      readonly ok: true;
      readonly value: JsonValue;
      /** A key may stand twice in one object: lintJson tells. */
      readonly maybeDuplicate: boolean;
    }
  | { readonly ok: false; readonly offset: number; readonly message: string };

const scanner = new JsonScanner();

/** The first byte that makes a text no UTF-8. */
function firstInvalidByte(bytes: Uint8Array): number {
  let good = 0;
  for (let step = 1 << 30; step >= 1; step >>= 1) {
    const to = good + step;
    if (to > bytes.length) continue;
    // Up to three bytes of a character may be cut off at the end of a piece that is fine so far.
    if ([0, 1, 2, 3].some((cut) => isUtf8(bytes.subarray(0, to - cut)))) good = to;
  }
  while (good > 0 && !isUtf8(bytes.subarray(0, good))) good -= 1;
  return good;
}

/** Reads a file's bytes as one JSON document: strict UTF-8, RFC 8259, at most 1,000 levels deep. Never throws. */
export function parseDocument(bytes: Uint8Array): DocumentOutcome {
  if (!isUtf8(bytes)) return { ok: false, offset: firstInvalidByte(bytes), message: 'invalid UTF-8' };
  // To the scanner a newline ends the text: between tokens a carriage return does as well, and in a string both are
  // forbidden.
  const text = Buffer.alloc(bytes.length + 1, 0x0a);
  text.set(bytes);
  for (let at = text.indexOf(0x0a); at < bytes.length; at = text.indexOf(0x0a, at + 1)) text[at] = 0x0d;
  if (!scanner.scan(text, 0, bytes.length)) {
    const message =
      bytes.length === 0 ? 'the file is empty' : `not JSON: ${explainFault(scanner, bytes, bytes.length)}`;
    return { ok: false, offset: scanner.faultAt, message };
  }
  if (scanner.nonFiniteAt >= 0) {
    return {
      ok: false,
      offset: scanner.nonFiniteAt,
      message: 'not JSON: NaN and infinities have no JSON form',
    };
  }
  return {
    ok: true,
    value: JSON.parse(text.toString('utf8', scanner.valueStart, scanner.valueEnd)) as JsonValue,
    maybeDuplicate: scanner.maybeDuplicate,
  };
}
