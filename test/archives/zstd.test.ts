import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Budget } from '../../src/archives/budget.ts';
import { ArchiveFault } from '../../src/archives/problem.ts';
import { zstdDecompressed } from '../../src/archives/zstd.ts';
import { makeZstd } from '../support/archives.ts';

// 200 lines {"a":1} and 50 lines {"b":[2,"1"]} to {"b":[2,"50"]}, by zstd 1.5.4 -19.
const REAL = Buffer.from(
  'KLUv/WQlCBUDAMKEDhHAtwE91BL/V5PI7u4tLEo5LCCVMhXNq4l3S9G8mng3FM2riXc70byaeLeL5tXEK/UKR0YdkD7KFAoyqBDg7YwB8FkDEXxCwOP3//8zHq7eY/5YIwNgGISLBKQbV1IG72NNgQ==',
  'base64',
);
const SUM = '69a4b2bd47e3fd18f9fa8fa09fbfb415cb8481ecae9995505bf622e014b6b9e7';

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield Buffer.from(bytes.subarray(at, at + size));
}

/** What comes out of data in pieces of a size, without Node's own zstd. */
async function decoded(bytes: Uint8Array, size = 1000): Promise<Buffer> {
  const nothing = () => {
    throw new Error('asked for Node');
  };
  const out: Buffer[] = [];
  for await (const piece of zstdDecompressed(pieces(bytes, size), nothing, undefined)) out.push(piece);
  return Buffer.concat(out);
}

describe('zstd, where Node has none', () => {
  test.each([1, 7, 1000])('is decompressed, in pieces of %i bytes', async (size) => {
    const bytes = await decoded(REAL, size);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(SUM);
  });

  test('gives back whatever was packed, frame after frame', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ maxLength: 3000 }), { maxLength: 3 }),
        fc.integer({ min: 1, max: 500 }),
        async (contents, size) => {
          const frames = await Promise.all(contents.map(makeZstd));
          expect(await decoded(Buffer.concat(frames), size)).toEqual(Buffer.concat(contents));
        },
      ),
      { numRuns: 50 },
    );
  });

  test('finds every byte that is flipped, and every cut', async () => {
    const whole = await decoded(REAL);
    for (let at = 0; at < REAL.length; at += 1) {
      const bytes = Buffer.from(REAL);
      bytes[at] = (bytes[at] ?? 0) ^ 0x10;
      const outcome = await decoded(bytes).catch((error: unknown) => error);
      // A bit of the header that says nothing here may be flipped: then the same comes out.
      if (Buffer.isBuffer(outcome)) expect(outcome.equals(whole)).toBe(true);
      else expect(outcome).toBeInstanceOf(ArchiveFault);
      if (at > 0) await expect(decoded(REAL.subarray(0, at))).rejects.toThrow(ArchiveFault);
    }
  });

  test('skips what is not data, and refuses a window that takes too much memory', async () => {
    const note = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 1, 2]);
    expect(await decoded(Buffer.concat([note, REAL, note]))).toEqual(await decoded(REAL));
    const greedy = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xf8, 1, 0, 0, 0, 0, 0]);
    await expect(decoded(greedy)).rejects.toThrow('of memory');
  });
});

test('a budget knows sizes with and without a ratio', () => {
  const budget = new Budget({ maxUnpacked: 1e12 });
  budget.packed = 100_000;
  budget.add(99_000_000);
  expect(() => budget.add(2_000_000)).toThrow('1000 times');
  expect(() => new Budget({ maxUnpacked: 10 }).add(11)).toThrow('more than 10 bytes');
});
