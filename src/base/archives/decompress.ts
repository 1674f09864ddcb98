import { pipeline, Readable } from 'node:stream';
import { createGunzip, createInflateRaw } from 'node:zlib';
import { errorCode, messageOf } from '../errors.ts';
import type { Budget } from './budget.ts';
import type { Compression } from './format.ts';
import { ArchiveFault } from './problem.ts';
import { zstdDecompressed } from './zstd.ts';

/** Whether Node's zlib failed because of damaged data. */
const isZlibError = (error: unknown): boolean => /^(?:Z_|ZSTD_|ERR_)/.test(`${errorCode(error)}`);

/** Yields the output of a transform stream. Throws `corrupt` for damaged input. */
async function* through(
  source: AsyncIterable<Buffer>,
  transform: NodeJS.ReadWriteStream,
): AsyncGenerator<Buffer> {
  // pipeline() passes the error of any stage to the reader of the last one.
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

/** Decompresses zstd data whose input is already counted. Throws `corrupt`. */
export const zstdData = (bytes: AsyncIterable<Buffer>): AsyncIterable<Buffer> =>
  zstdDecompressed(bytes, through);

/** Decompresses deflated data whose input is already counted. Throws `corrupt`. */
export const deflatedData = (bytes: AsyncIterable<Buffer>): AsyncIterable<Buffer> =>
  through(bytes, createInflateRaw());

async function* counted(source: AsyncIterable<Buffer>, budget: Budget): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    budget.packed += chunk.length;
    yield chunk;
  }
}

/**
 * Node's gunzip stops at the first zero byte after a member, because tapes are padded with zeros. Other
 * programs go on, so anything but zeros is refused. Throws `corrupt`.
 */
async function* gunzipped(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const chunks = bytes[Symbol.asyncIterator]();
  const gunzip = createGunzip();
  let passed = 0;
  let meant = 0;
  async function* source(): AsyncGenerator<Buffer> {
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      const zeros = zerosAtEnd(next.value);
      passed += next.value.length;
      if (zeros < next.value.length) meant = passed - zeros;
      yield next.value;
    }
  }
  try {
    yield* through(source(), gunzip);
    // Reads to the next data, because gunzip may have stopped inside a chunk.
    for await (const _ of source()) if (meant > gunzip.bytesWritten) break;
    if (meant > gunzip.bytesWritten)
      throw new ArchiveFault(
        'corrupt',
        'the compressed data continues after zero bytes, where some programs stop',
      );
  } finally {
    await chunks.return?.();
  }
}

function zerosAtEnd(bytes: Buffer): number {
  let at = bytes.length;
  while (at > 0 && bytes[at - 1] === 0) at -= 1;
  return bytes.length - at;
}

/** Counts every byte of output, even if nobody keeps it: decompressing takes time. */
async function* within(unpacked: AsyncIterable<Buffer>, budget: Budget): AsyncGenerator<Buffer> {
  for await (const chunk of unpacked) {
    budget.add(chunk.length);
    yield chunk;
  }
}

/** Decompresses bytes. The budget counts input and output. Throws `corrupt` and `too-large`. */
export function decompressed(
  source: AsyncIterable<Buffer>,
  compression: Compression | undefined,
  budget: Budget,
): AsyncIterable<Buffer> {
  const bytes = counted(source, budget);
  if (compression === 'gzip') return within(gunzipped(bytes), budget);
  return within(compression === 'zstd' ? zstdData(bytes) : bytes, budget);
}
