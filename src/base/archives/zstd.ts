import * as zlib from 'node:zlib';
import type { Decompress } from 'fzstd';
import { messageOf } from '../errors.ts';
import { ArchiveFault } from './problem.ts';

// Node has zstd since 22.15. Older versions use fzstd, which does not verify checksums. Therefore the frames
// are split here, and the output of each is compared with its checksum.

const MAGIC = 0xfd2fb528;
const SKIPPABLE = 0x184d2a50;
/** A larger window needs that much memory; `zstd -d` refuses it too. */
const MAX_WINDOW = 128 * 1024 * 1024;

/** In bytes: the longest block that zstd allows. */
const MAX_BLOCK = 128 * 1024;
/**
 * In bytes. fzstd moves its window once per block, so many short blocks with a large window would take hours.
 */
const FREE_MOVES = 4 * 1024 ** 3;
/** Twice what full blocks move with the largest window. */
const MOVES_PER_BYTE = (2 * MAX_WINDOW) / MAX_BLOCK;

const corrupt = (what: string) => new ArchiveFault('corrupt', `the zstd data ${what}`);

/**
 * Parses a frame header of at least eight bytes: its length, and whether a checksum ends the frame. Undefined
 * if more bytes are needed.
 */
function frameHeader(bytes: Buffer): { length: number; hasSum: boolean; window: number } | undefined {
  const descriptor = bytes.readUInt8(4);
  const isSingle = (descriptor & 0x20) !== 0;
  // Field sizes in bytes: 0, 1, 2 or 4 for the dictionary; 0 (or 1), 2, 4 or 8 for the content size.
  const dictionary = (1 << (descriptor & 3)) >> 1;
  const size = descriptor >> 6 === 0 && !isSingle ? 0 : 1 << (descriptor >> 6);
  const length = 5 + (isSingle ? 0 : 1) + dictionary + size;
  if (bytes.length < length) return undefined;
  if (dictionary > 0) throw corrupt('needs a dictionary');
  const window = isSingle ? contentSize(bytes, length - size, size) : windowSize(bytes.readUInt8(5));
  if (window > MAX_WINDOW)
    throw new ArchiveFault('too-large', `the zstd data asks for ${window} bytes of memory`);
  return { length, hasSum: (descriptor & 4) !== 0, window };
}

function contentSize(bytes: Buffer, at: number, size: number): number {
  if (size === 8) return Number(bytes.readBigUInt64LE(at));
  return bytes.readUIntLE(at, size) + (size === 2 ? 256 : 0);
}

function windowSize(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}

type Step = 'magic' | 'skip' | 'header' | 'block' | 'content' | 'sum';

interface ContentHash {
  update(bytes: Uint8Array): unknown;
  digest(): bigint;
}

/** Splits a stream into frames, however the input is cut into chunks. */
class Frames {
  readonly #Decompress: typeof Decompress;
  readonly #makeHash: () => ContentHash;
  #held: Buffer = Buffer.alloc(0);
  #step: Step = 'magic';
  #left = 0;
  #isLast = false;
  #hasSum = false;
  #frame: Decompress | undefined;
  #hash: ContentHash;
  #out: Buffer[] = [];
  #window = 0;
  #moved = 0;
  #unpacked = 0;

  constructor(decompress: typeof Decompress, makeHash: () => ContentHash) {
    this.#Decompress = decompress;
    this.#makeHash = makeHash;
    this.#hash = makeHash();
  }

  /**
   * Yields the output for more input, block by block, because a few bytes may expand to thousands of long
   * blocks.
   */
  *push(chunk: Buffer): Generator<Buffer> {
    this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    while (this.#advance()) yield* this.#out.splice(0);
    yield* this.#out.splice(0);
  }

  end(): void {
    if (this.#step !== 'magic' || this.#held.length > 0) throw corrupt('is cut short');
  }

  /** Takes one step; false if more bytes are needed. */
  #advance(): boolean {
    switch (this.#step) {
      case 'magic':
        return this.#atMagic();
      case 'skip':
        return this.#take((bytes) => bytes);
      case 'header':
        return this.#atHeader();
      case 'block':
        return this.#atBlock();
      case 'content':
        return this.#take((bytes) => this.#feed(bytes));
      case 'sum':
        return this.#atSum();
    }
  }

  #consume(count: number): Buffer {
    const bytes = this.#held.subarray(0, count);
    this.#held = this.#held.subarray(count);
    return bytes;
  }

  #atMagic(): boolean {
    if (this.#held.length < 8) return false;
    const magic = this.#held.readUInt32LE(0);
    if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE) {
      this.#left = this.#consume(8).readUInt32LE(4);
      this.#step = 'skip';
      return true;
    }
    if (magic !== MAGIC) throw corrupt('does not begin with a zstd frame');
    this.#step = 'header';
    return true;
  }

  #atHeader(): boolean {
    const header = frameHeader(this.#held);
    if (header === undefined) return false;
    this.#hasSum = header.hasSum;
    this.#window = header.window;
    this.#countMove();
    this.#hash = this.#makeHash();
    this.#frame = new this.#Decompress((bytes) => {
      this.#hash.update(bytes);
      this.#unpacked += bytes.length;
      if (bytes.length > 0) this.#out.push(Buffer.from(bytes));
    });
    this.#feed(this.#consume(header.length));
    this.#step = 'block';
    return true;
  }

  #atBlock(): boolean {
    if (this.#held.length < 3) return false;
    const head = this.#consume(3);
    const value = head.readUIntLE(0, 3);
    this.#isLast = (value & 1) === 1;
    const type = (value >> 1) & 3;
    if (type === 3) throw corrupt('has a block of an unknown kind');
    if (value >> 3 > MAX_BLOCK) throw corrupt(`has a block that is longer than ${MAX_BLOCK} bytes`);
    this.#countMove();
    this.#left = type === 1 ? 1 : value >> 3;
    this.#feed(head);
    this.#step = 'content';
    return true;
  }

  #countMove(): void {
    this.#moved += this.#window;
    if (this.#moved > FREE_MOVES + this.#unpacked * MOVES_PER_BYTE) {
      const message =
        'the zstd data has too many short blocks for its window: Node.js 22.15 or newer reads it';
      throw new ArchiveFault('too-large', message);
    }
  }

  /** Consumes what is left of the current part, as far as it is available. */
  #take(each: (bytes: Buffer) => unknown): boolean {
    const bytes = this.#consume(Math.min(this.#left, this.#held.length));
    this.#left -= bytes.length;
    if (bytes.length > 0) each(bytes);
    if (this.#left > 0) return false;
    if (this.#step === 'skip') this.#step = 'magic';
    else if (!this.#isLast) this.#step = 'block';
    else if (this.#hasSum) this.#step = 'sum';
    else {
      this.#feed(Buffer.alloc(0), true);
      this.#endFrame();
    }
    return true;
  }

  #atSum(): boolean {
    if (this.#held.length < 4) return false;
    const bytes = this.#consume(4);
    this.#feed(bytes, true);
    const found = Number(this.#hash.digest() & 0xffffffffn);
    if (found !== bytes.readUInt32LE(0)) throw corrupt('has a wrong checksum: it was damaged');
    this.#endFrame();
    return true;
  }

  #endFrame(): void {
    this.#step = 'magic';
    this.#frame = undefined;
  }

  /** fzstd holds a short frame back until `isLast` is true. */
  #feed(bytes: Buffer, isLast = false): void {
    try {
      this.#frame?.push(bytes, isLast);
    } catch (error) {
      throw corrupt(`cannot be decompressed (${messageOf(error)})`);
    }
  }
}

async function* byFrames(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const { Decompress: decompress } = await import('fzstd');
  const { create64 } = await (await import('xxhash-wasm')).default();
  const frames = new Frames(decompress, () => create64());
  for await (const chunk of source) yield* frames.push(chunk);
  frames.end();
}

/** Node's own decompressor, if this version has one. */
const native = (): (() => NodeJS.ReadWriteStream) | undefined => Reflect.get(zlib, 'createZstdDecompress');

/** Decompresses zstd data. Throws `corrupt` and `too-large`. */
export function zstdDecompressed(
  source: AsyncIterable<Buffer>,
  throughNode: (source: AsyncIterable<Buffer>, transform: NodeJS.ReadWriteStream) => AsyncIterable<Buffer>,
  make = native(),
): AsyncIterable<Buffer> {
  return make === undefined ? byFrames(source) : throughNode(source, make());
}
