import type { Content, MemberForm } from '../content.ts';

// wasm/contents.ts describes the memory layout.
const HEAD_BYTES = 44;
const NAME_BYTES = 40;
const NAMESPACE_AT = 28;

const FORMS: Readonly<Record<MemberForm, number>> = {
  'as-is': 0,
  walked: 1,
  'six-decimals': 2,
  filled: 3,
  'left-out': 4,
  'all-left-out': 5,
  id: 6,
};

const packed = new WeakMap<Content, Uint8Array>();

export function packContent(content: Content): Uint8Array {
  const before = packed.get(content);
  if (before !== undefined) return before;
  const { digest, prefix, characters, members, others } = content;
  // Names are ASCII, so ordering by UTF-16 units is ordering by bytes.
  const names = Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1));
  const table = Buffer.alloc(HEAD_BYTES + names.length * NAME_BYTES);
  const head = [Number(digest === 'uuid'), Number(characters === 'ascii'), FORMS[others], names.length];
  for (const [index, word] of [...head, prefix.length].entries()) table.writeUInt32LE(word, index * 4);
  table.write(prefix, 20);
  for (const [index, [name, form]] of names.entries()) {
    const at = HEAD_BYTES + index * NAME_BYTES;
    table.writeUInt32LE(name.length, at);
    table.writeUInt32LE(FORMS[form], at + 4);
    table.write(name, at + 8);
  }
  packed.set(content, table);
  return table;
}

export const namespaceAt = (table: number): number => table + NAMESPACE_AT;
