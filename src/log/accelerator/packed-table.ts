import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';

/** A table as the accelerator reads it, made for the address where it will stand. */
export interface Table {
  readonly bytes: Uint8Array;
  /** The addresses of the sets of words in it, whose slots the accelerator fills. */
  readonly sets: readonly number[];
}

/** A table as text: its address and its sets, how many they are before them, and its bytes. */
export function packTable({ bytes, sets }: Table, base: number): string {
  const head = Uint32Array.of(base, sets.length, ...sets);
  return brotliCompressSync(Buffer.concat([Buffer.from(head.buffer), bytes])).toString('base64');
}

/** The table of a text; undefined where it was made for another address. */
export function unpackTable(text: string, base: number): Table | undefined {
  const packed = brotliDecompressSync(Buffer.from(text, 'base64'));
  if (packed.readUInt32LE(0) !== base) return undefined;
  const end = 8 + packed.readUInt32LE(4) * 4;
  const sets: number[] = [];
  for (let at = 8; at < end; at += 4) sets.push(packed.readUInt32LE(at));
  return { bytes: packed.subarray(end), sets };
}
