import { createReadStream } from 'node:fs';
import type { Budget } from './budget.ts';
import { decompressed } from './decompress.ts';
import type { ArchiveEntry } from './entry.ts';
import type { Compression, PackedFormat } from './format.ts';
import { tarEntries } from './tar.ts';
import { zipEntries } from './zip.ts';

/** So much is read of a file at a time. */
const CHUNK = 256 * 1024;

const bytesOf = (path: string): AsyncIterable<Buffer> => createReadStream(path, { highWaterMark: CHUNK });

/** The entries of an archive in a file. Throws `corrupt` and `too-large`. */
export function archiveEntries(
  path: string,
  format: Exclude<PackedFormat, { readonly kind: 'file' }>,
  budget: Budget,
): AsyncIterable<ArchiveEntry> {
  if (format.kind === 'zip') return zipEntries(path, budget);
  return tarEntries(decompressed(bytesOf(path), format.compression, budget));
}

/** The bytes of a compressed file. Throws `corrupt` and `too-large`. */
export async function* unpackedBytes(
  path: string,
  compression: Compression,
  budget: Budget,
): AsyncGenerator<Buffer> {
  for await (const chunk of decompressed(bytesOf(path), compression, budget)) {
    budget.add(chunk.length);
    yield chunk;
  }
}
