import { streamToRead } from '../files/open-file.ts';
import type { Budget } from './budget.ts';
import type { CutZip } from './cut-zip.ts';
import type { ArchiveEntry } from './entry.ts';
import type { Compression } from './format.ts';

// Archive readers are loaded on demand, because every command would start later otherwise.

const CHUNK = 256 * 1024;

/** The bytes of a file, which is opened when the first of them is wanted. */
async function* bytesOf(path: string): AsyncGenerator<Buffer> {
  yield* streamToRead(path, CHUNK) as AsyncIterable<Buffer>;
}

async function* decompressed(
  source: AsyncIterable<Buffer>,
  compression: Compression | undefined,
  budget: Budget,
): AsyncGenerator<Buffer> {
  const decompress = await import('./decompress.ts');
  yield* decompress.decompressed(source, compression, budget);
}

/** The entries of a tar, compressed or not. Throws `corrupt` and `too-large`. */
export async function* entriesOfTar(
  source: AsyncIterable<Buffer>,
  compression: Compression | undefined,
  budget: Budget,
): AsyncGenerator<ArchiveEntry> {
  const { tarEntries } = await import('./tar.ts');
  yield* tarEntries(decompressed(source, compression, budget));
}

/** The entries of a zip. Throws `corrupt` and `too-large`. */
export async function* entriesOfZip(path: string, budget: Budget): AsyncGenerator<ArchiveEntry> {
  const { zipEntries } = await import('./zip.ts');
  yield* zipEntries(path, budget);
}

/** A zip that was cut off before the end of its directory; undefined for any other. */
export async function cutZipAt(path: string): Promise<CutZip | undefined> {
  const { lacksDirectory } = await import('./zip.ts');
  return (await lacksDirectory(path)) ? (await import('./cut-zip.ts')).entriesBeforeCut(path) : undefined;
}

/** The whole entries of a zip that was cut off. Throws `corrupt` and `too-large`. */
export async function* entriesOfCutZip(
  path: string,
  cut: CutZip,
  budget: Budget,
): AsyncGenerator<ArchiveEntry> {
  const { cutZipEntries } = await import('./zip.ts');
  yield* cutZipEntries(path, cut, budget);
}

/** Decompresses bytes if they are compressed. Throws `corrupt` and `too-large`. */
export async function* uncompressed(
  source: AsyncIterable<Buffer>,
  compression: Compression | undefined,
  budget: Budget,
): AsyncGenerator<Buffer> {
  yield* compression === undefined ? source : decompressed(source, compression, budget);
}

/** The bytes of a compressed file. Throws `corrupt` and `too-large`. */
export const unpackedBytes = (
  path: string,
  compression: Compression,
  budget: Budget,
): AsyncIterable<Buffer> => uncompressed(bytesOf(path), compression, budget);
