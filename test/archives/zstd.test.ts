import { createHash } from 'node:crypto';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Budget } from '../../src/base/archives/budget.ts';
import { ArchiveFault } from '../../src/base/archives/problem.ts';
import { zstdDecompressed } from '../../src/base/archives/zstd.ts';
import { makeZstd } from '../support/archives.ts';
import { times } from '../support/length.ts';

// 200 lines {"a":1} and 50 lines {"b":[2,"1"]} to {"b":[2,"50"]}, by zstd 1.5.4 -19.
const REAL = Buffer.from(
  'KLUv/WQlCBUDAMKEDhHAtwE91BL/V5PI7u4tLEo5LCCVMhXNq4l3S9G8mng3FM2riXc70byaeLeL5tXEK/UKR0YdkD7KFAoyqBDg7YwB8FkDEXxCwOP3//8zHq7eY/5YIwNgGISLBKQbV1IG72NNgQ==',
  'base64',
);
const SUM = '69a4b2bd47e3fd18f9fa8fa09fbfb415cb8481ecae9995505bf622e014b6b9e7';

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield Buffer.from(bytes.subarray(at, at + size));
}

/** Decompresses data in pieces of a size, without Node's zstd. */
async function decoded(bytes: Uint8Array, size = 1000): Promise<Buffer> {
  const nothing = () => {
    throw new Error('asked for Node');
  };
  const out: Buffer[] = [];
  for await (const piece of zstdDecompressed(pieces(bytes, size), nothing, undefined)) out.push(piece);
  return Buffer.concat(out);
}

describe('zstd, if Node has none', () => {
  test.each([1, 7, 1000])('is decompressed, in pieces of %i bytes', async (size) => {
    const bytes = await decoded(REAL, size);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(SUM);
  });

  test('returns any packed data, frame by frame', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ maxLength: 3000 }), { maxLength: 3 }),
        fc.integer({ min: 1, max: 500 }),
        async (contents, size) => {
          const frames = await Promise.all(contents.map(makeZstd));
          expect(await decoded(Buffer.concat(frames), size)).toEqual(Buffer.concat(contents));
        },
      ),
      { numRuns: times(50, 10) },
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

  test('skips skippable frames, and refuses a window that needs too much memory', async () => {
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

/** Frame after frame of one block that repeats a byte: four bytes for 128 KiB. */
const repeating = (blocks: number) => {
  const bytes = Buffer.alloc(6 + blocks * 4);
  Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x58]).copy(bytes);
  for (let at = 0; at < blocks; at += 1)
    bytes.writeUInt32LE(((128 * 1024) << 3) | 2 | (at === blocks - 1 ? 1 : 0), 6 + at * 4);
  return bytes;
};

test('yields one block at a time, however many are in a chunk', async () => {
  const nothing = () => {
    throw new Error('asked for Node');
  };
  const before = process.memoryUsage().arrayBuffers;
  const budget = new Budget({ maxUnpacked: 1e12 });
  const read = async () => {
    const bytes = repeating(60_000);
    budget.packed = bytes.length;
    for await (const piece of zstdDecompressed(pieces(bytes, bytes.length), nothing, undefined)) {
      expect(piece.length).toBeLessThanOrEqual(128 * 1024);
      budget.add(piece.length);
    }
  };
  await expect(read()).rejects.toThrow('1000 times');
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(512 * 1024 ** 2);
});

test('refuses many short blocks with a large window, and a block that is too long', async () => {
  const short = Buffer.concat([
    Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x88]),
    ...Array<Buffer>(400).fill(Buffer.from([8, 0, 0, 0x61])),
  ]);
  await expect(decoded(short)).rejects.toMatchObject({ problem: { kind: 'too-large' } });
  const long = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x58, 0, 0, 0, 0]);
  long.writeUInt32LE(((128 * 1024 + 1) << 3) | 3, 6);
  await expect(decoded(long)).rejects.toThrow('longer than 131072 bytes');
});

const frame = (descriptor: number, ...rest: number[]) =>
  Buffer.from([0x28, 0xb5, 0x2f, 0xfd, descriptor, ...rest]);
const SINGLE = 0x20;
/** The last block, its content stored as it is; one that is repeated; and one of no known kind. */
const STORED = [0x19, 0, 0, 0x61, 0x62, 0x63];
const REPEATED = [0x1b, 0, 0, 0x61];
const UNKNOWN = [0x1f, 0, 0, 0x61, 0x62, 0x63];

test.each<[string, Buffer, string]>([
  ['a size of one byte', frame(SINGLE, 3, ...STORED), 'abc'],
  [
    'a size of two bytes, which counts from 256',
    frame(SINGLE | 0x40, 0, 0, 0x01, 0x08, 0, ...Array(256).fill(0x61)),
    'a'.repeat(256),
  ],
  ['a size of four bytes', frame(SINGLE | 0x80, 3, 0, 0, 0, ...STORED), 'abc'],
  ['a size of eight bytes', frame(SINGLE | 0xc0, 3, 0, 0, 0, 0, 0, 0, 0, ...STORED), 'abc'],
  ['a window and no size', frame(0, 0x58, ...STORED), 'abc'],
  ['a block of one byte that comes again', frame(SINGLE, 3, ...REPEATED), 'aaa'],
  ['two frames', Buffer.concat([frame(SINGLE, 3, ...STORED), frame(0, 0x58, ...REPEATED)]), 'abcaaa'],
])('a frame without a checksum is decompressed, with %s', async (_, bytes, text) => {
  for (const size of [1, 9, 1000]) expect((await decoded(bytes, size)).toString()).toBe(text);
});

test.each<[string, Buffer, string]>([
  ['needs a dictionary', frame(SINGLE | 1, 7, 3, ...STORED), 'corrupt'],
  ['has a block of an unknown kind', frame(SINGLE, 3, ...UNKNOWN), 'corrupt'],
  ['asks for 4294967296 bytes of memory', frame(SINGLE | 0xc0, 0, 0, 0, 0, 1, 0, 0, 0), 'too-large'],
  ['does not begin with a zstd frame', Buffer.from('{"a":1}\n'), 'corrupt'],
  ['is cut short', frame(SINGLE | 0x80, 3, 0, 0, 0), 'corrupt'],
])('refuses zstd data that %s', async (what, bytes, kind) => {
  await expect(decoded(bytes, 3)).rejects.toMatchObject({
    problem: { kind, message: `the zstd data ${what}` },
  });
});

test("uses Node's own zstd if it has one", async () => {
  const through = async function* (source: AsyncIterable<Buffer>, transform: NodeJS.ReadWriteStream) {
    expect(transform).toBe(own);
    yield* source;
  };
  const own = new PassThrough();
  const out: Buffer[] = [];
  for await (const piece of zstdDecompressed(pieces(REAL, 1000), through, () => own)) out.push(piece);
  expect(Buffer.concat(out).equals(REAL)).toBe(true);
});
