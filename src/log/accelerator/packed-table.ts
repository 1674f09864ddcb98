import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';

/** A table for the accelerator, made for a fixed address. */
export interface Table {
  readonly bytes: Uint8Array;
  /** The addresses of its word sets, whose slots the accelerator fills. */
  readonly sets: readonly number[];
}

/** Serialises a table: its address, the number and addresses of its sets, and its bytes. */
export function packTable({ bytes, sets }: Table, base: number): string {
  const head = Uint32Array.of(base, sets.length, ...sets);
  return brotliCompressSync(Buffer.concat([Buffer.from(head.buffer), bytes])).toString('base64');
}

/** Parses a table; undefined if it was made for another address. */
export function unpackTable(text: string, base: number): Table | undefined {
  const packed = brotliDecompressSync(Buffer.from(text, 'base64'));
  if (packed.readUInt32LE(0) !== base) return undefined;
  const end = 8 + packed.readUInt32LE(4) * 4;
  const sets: number[] = [];
  for (let at = 8; at < end; at += 4) sets.push(packed.readUInt32LE(at));
  return { bytes: packed.subarray(end), sets };
}
