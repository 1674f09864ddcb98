import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { errorCode, messageOf } from '../errors.ts';
import type { Budget } from './budget.ts';
import type { Compression } from './format.ts';
import { ArchiveFault } from './problem.ts';
import { zstdDecompressed } from './zstd.ts';

/** What Node's zlib gives for data that is not as it must be. */
const isZlibError = (error: unknown): boolean => /^(?:Z_|ZSTD_|ERR_)/.test(`${errorCode(error)}`);

/** What comes out of a transforming stream. Throws `corrupt` for what it cannot take. */
async function* through(
  source: AsyncIterable<Buffer>,
  transform: NodeJS.ReadWriteStream,
): AsyncGenerator<Buffer> {
  // The error of a part reaches the reader of the last one.
  pipeline(Readable.from(source, { objectMode: false }), transform, () => {});
  try {
    for await (const chunk of transform) yield chunk as Buffer;
  } catch (error) {
    if (!isZlibError(error)) throw error;
    throw new ArchiveFault(
      'corrupt',
      `the compressed data cannot be read (${messageOf(error)}): it is damaged, or cut short`,
    );
  }
}

/** What comes out of zstd data that has been counted. Throws `corrupt`. */
export const zstdData = (bytes: AsyncIterable<Buffer>): AsyncIterable<Buffer> =>
  zstdDecompressed(bytes, through);

async function* counted(source: AsyncIterable<Buffer>, budget: Budget): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    budget.packed += chunk.length;
    yield chunk;
  }
}

/** Counts every byte that comes out: those that nobody keeps take time as well. */
async function* within(unpacked: AsyncIterable<Buffer>, budget: Budget): AsyncGenerator<Buffer> {
  for await (const chunk of unpacked) {
    budget.add(chunk.length);
    yield chunk;
  }
}

/** Decompresses bytes; the budget counts what goes in and what comes out. Throws `corrupt` and `too-large`. */
export function decompressed(
  source: AsyncIterable<Buffer>,
  compression: Compression | undefined,
  budget: Budget,
): AsyncIterable<Buffer> {
  const bytes = counted(source, budget);
  if (compression === 'gzip') return within(through(bytes, createGunzip()), budget);
  return within(compression === 'zstd' ? zstdData(bytes) : bytes, budget);
}
