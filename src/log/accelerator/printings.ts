import type { Printing } from '../printing.ts';

// wasm/printed.ts describes the memory layout.
const ORDERS = { stored: 0, codepoint: 1, utf16: 2 } as const;
const STRINGS = { minimal: 0, ascii: 1, stored: 2 } as const;

const word = (value: number | boolean): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(Number(value));
  return bytes;
};

/** The table of a printed form. */
export function packPrinting({ order, spaced, strings, numbers, without }: Printing): Uint8Array {
  const names = without.map((name) => Buffer.from(name));
  return Buffer.concat([
    word(ORDERS[order]),
    word(spaced === true),
    word(STRINGS[strings]),
    word(numbers === 'stored'),
    word(names.length),
    ...names.flatMap((name) => [word(name.length), name]),
  ]);
}
