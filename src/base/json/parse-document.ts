import { isUtf8 } from 'node:buffer';
import { utf8Text } from '../text/utf8-text.ts';
import { explainFault } from './explain.ts';
import { tooLongForDocument } from './limits.ts';
import { parseExactJson, parseJson } from './parse.ts';
import { JsonScanner } from './scanner.ts';
import { invalidSequence } from './utf8.ts';
import type { JsonValue } from './value.ts';

export type DocumentOutcome =
  | {
      readonly ok: true;
      readonly value: JsonValue;
      /** Whether an object may have a repeated key; lintJson checks it. */
      readonly maybeDuplicate: boolean;
      /** Whether a number may not fit a double exactly. */
      readonly mayRound: boolean;
    }
  | { readonly ok: false; readonly offset: number; readonly message: string };

const scanner = new JsonScanner();

/** The message for a document that the scanner refused. */
function refusal(bytes: Uint8Array): string {
  if (bytes.length === 0) return 'the file is empty';
  const fault = explainFault(scanner, bytes, bytes.length);
  return scanner.fault === 'too-many-values' ? `${fault}; more are refused` : `not JSON: ${fault}`;
}

/** The value of a document that {@link parseDocument} read, with its numbers as stored. */
export function exactDocument(bytes: Buffer, value: JsonValue): JsonValue {
  return parseExactJson(utf8Text(bytes), () => value);
}

/**
 * Parses a file as one JSON document: strict UTF-8, RFC 8259, at most 1,000 levels, 64 MiB and two million
 * values. Never throws.
 */
export function parseDocument(bytes: Uint8Array): DocumentOutcome {
  const tooLong = tooLongForDocument(bytes.length);
  if (tooLong !== undefined) return { ok: false, offset: 0, message: tooLong };
  if (!isUtf8(bytes)) {
    const { from } = invalidSequence(bytes, 0, bytes.length);
    return { ok: false, offset: from, message: 'invalid UTF-8' };
  }
  // The scanner stops at a newline. A carriage return is also white space between tokens, and also forbidden
  // in strings, so it can replace each newline in the document.
  const text = Buffer.allocUnsafe(bytes.length + 1);
  text.set(bytes);
  text[bytes.length] = 0x0a;
  for (let at = text.indexOf(0x0a); at < bytes.length; at = text.indexOf(0x0a, at + 1)) text[at] = 0x0d;
  if (!scanner.scan(text, 0, bytes.length)) {
    return { ok: false, offset: scanner.faultAt, message: refusal(bytes) };
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
    // Every escaped key counts as a possible duplicate. Without one, JSON.parse reads all keys correctly.
    value: (scanner.maybeDuplicate ? parseJson : JSON.parse)(
      text.toString('utf8', scanner.valueStart, scanner.valueEnd),
    ) as JsonValue,
    maybeDuplicate: scanner.maybeDuplicate,
    mayRound: scanner.mayRound,
  };
}
