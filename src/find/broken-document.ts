import { isJsonSpace } from '../base/json/ascii.ts';
import type { JsonValue } from '../base/json/value.ts';
import { recordsOfDocument } from '../dialects/kit/document-forms.ts';
import { recordsIn } from '../dialects/registry.ts';
import type { DocumentDamage } from './document-places.ts';

/** The readable part of a damaged JSON document. */
interface BrokenDocument {
  readonly document: JsonValue;
  readonly damage: DocumentDamage;
  /** The number of bytes that are read, from the start. */
  readonly kept: number;
  readonly isCut: boolean;
  /** The records before the damage. */
  readonly records: readonly JsonValue[];
  /** Everything after these records, on one line. It has a newline unless the document is cut off. */
  readonly rest: string;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The part of a document that can be read: up to `end`, followed by what closes it. */
interface Kept {
  readonly end: number;
  readonly closing: ']}' | ']';
}

/**
 * The offset after the opening bracket of a list, or after its last whole element, before `offset`. The list is the whole
 * document or a member of it.
 */
function lastElementBefore(bytes: Buffer, offset: number): Kept | undefined {
  const open: string[] = [];
  let isText = false;
  let kept: Kept | undefined;
  for (let at = 0; at < offset; at += 1) {
    const byte = bytes[at] ?? 0;
    if (isText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isText = false;
      continue;
    }
    const sign = String.fromCharCode(byte);
    if (byte === QUOTE) isText = true;
    else if (sign === '{' || sign === '[') open.push(sign);
    else if (sign === '}' || sign === ']') open.pop();
    else continue;
    if (sign === '"' || sign === ']' || open.length > 2) continue;
    const around = open.join('');
    if (around === '{[') kept = { end: at + 1, closing: ']}' };
    if (around === '[') kept = { end: at + 1, closing: ']' };
  }
  return kept;
}

function lengthWithoutSpace(bytes: Buffer): number {
  let end = bytes.length;
  while (end > 0 && isJsonSpace(bytes[end - 1])) end -= 1;
  return end;
}

/**
 * Reads the intact records of a damaged list, or of a damaged document of a known program. `offset`: where it is broken. `parse`
 * returns undefined for invalid JSON.
 */
export function brokenDocument(
  bytes: Buffer,
  offset: number,
  parse: (bytes: Buffer) => JsonValue | undefined,
): BrokenDocument | undefined {
  const kept = lastElementBefore(bytes, offset);
  if (kept === undefined) return undefined;
  const { end, closing } = kept;
  const read = Buffer.concat([bytes.subarray(0, end), Buffer.from(closing)]);
  const document = parse(read);
  const records =
    document === undefined
      ? undefined
      : Array.isArray(document)
        ? recordsOfDocument(document)
        : recordsIn(document);
  if (document === undefined || records === undefined) return undefined;
  const text = bytes.toString('utf8', end);
  const [between = ''] = /^[\s,]*/.exec(text) ?? [];
  const after = text.replace(/\s+/g, ' ');
  const isCut = bytes.toString('utf8', offset).trim() === '';
  // Adds a brace if nothing is left to show the damage, as between two records.
  const rest = after.replace(/^[ ,]+/, '').trimEnd() || '{';
  const damage = {
    offset: isCut ? lengthWithoutSpace(bytes) : offset,
    rest: Math.min(end + between.length, bytes.length),
    read,
  };
  return { document, damage, kept: end, isCut, records, rest: isCut ? rest : `${rest}\n` };
}
