import type { ArchiveEntry } from './entry.ts';
import { ArchiveFault } from './problem.ts';
import { BLOCK, kindOfType, paxFields, type TarHeader, tarHeader } from './tar-header.ts';

/** Takes bytes from a stream in the pieces that a format needs. */
class ByteQueue {
  readonly #chunks: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#chunks = source[Symbol.asyncIterator]();
  }

  /** Returns the next bytes, at least one and at most `count`; undefined at the end. */
  async some(count: number): Promise<Buffer | undefined> {
    while (this.#held.length === 0) {
      const next = await this.#chunks.next();
      if (next.done) return undefined;
      this.#held = next.value;
    }
    const bytes = this.#held.subarray(0, count);
    this.#held = this.#held.subarray(bytes.length);
    return bytes;
  }

  /** Returns the next `count` bytes, or fewer at the end. */
  async exactly(count: number): Promise<Buffer> {
    const first = await this.some(count);
    if (first === undefined || first.length === count) return first ?? Buffer.alloc(0);
    const pieces = [first];
    let length = first.length;
    while (length < count) {
      const piece = await this.some(count - length);
      if (piece === undefined) break;
      pieces.push(piece);
      length += piece.length;
    }
    return Buffer.concat(pieces);
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }
}

/** Longer names and attributes are not real ones. */
const MAX_EXTENSION = 1024 * 1024;
/** A larger size does not fit into an octal header and needs a pax header. */
const MAX_OCTAL = 0o77777777777;

const LONG_NAME = 'L';
const LONG_LINK = 'K';
const PAX = 'x';
const GLOBAL_PAX = 'g';

const isZero = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0);

const cut = (what: string) => new ArchiveFault('corrupt', `it ${what}: it was cut short`);

/** The values of extension headers for the next file. */
interface Extensions {
  pax?: ReadonlyMap<string, string>;
  longName?: string;
  longLink?: true;
  /** Why programs read the file in different ways. */
  unsafe?: string | undefined;
}

/**
 * Fields that make GNU tar, bsdtar or star unpack other bytes than are stored, or something other than a file.
 */
const SPARSE = /^(?:GNU\.sparse\.|SUN\.holesdata|SCHILY\.(?:realsize|filetype))/;
const DECIMAL = /^\d{1,15}$/;

/**
 * Reads a tar from start to end. A tar can override the name, size or content in a file's header in several
 * ways, and programs disagree about which one counts. Such entries are refused, because two people could see
 * different traces in one archive.
 */
class TarReader {
  readonly #bytes: ByteQueue;
  #next: Extensions = {};

  constructor(bytes: ByteQueue) {
    this.#bytes = bytes;
  }

  async *entries(): AsyncGenerator<ArchiveEntry> {
    for (let header = await this.#header(); header !== undefined; header = await this.#header()) {
      if ([LONG_NAME, LONG_LINK, PAX, GLOBAL_PAX].includes(header.type)) await this.#extend(header);
      else yield* this.#entry(header);
    }
    if (Object.keys(this.#next).length > 0) throw cut('ends before the file of a header');
    await this.#requireEnd();
  }

  /** Returns the next header; undefined at a block of zeros, which ends a tar. */
  async #header(): Promise<TarHeader | undefined> {
    const block = await this.#bytes.exactly(BLOCK);
    if (block.length < BLOCK) throw cut('lacks the blocks of zeros that end a tar');
    return isZero(block) ? undefined : tarHeader(block);
  }

  /** Refuses data after the end mark: most programs stop there, some continue. */
  async #requireEnd(): Promise<void> {
    for (let rest = await this.#bytes.some(BLOCK); rest !== undefined; rest = await this.#bytes.some(BLOCK))
      if (!isZero(rest)) throw new ArchiveFault('corrupt', 'it continues after the blocks that end a tar');
  }

  async #extend({ type, size }: TarHeader): Promise<void> {
    if (size > MAX_EXTENSION) throw new ArchiveFault('corrupt', `it has a header of ${size} bytes`);
    const bytes = await this.#bytes.exactly(size);
    if (bytes.length < size) throw cut('ends in a header');
    await this.#skip(padding(size));
    if (type === PAX || type === GLOBAL_PAX) this.#takePax(bytes, type === GLOBAL_PAX);
    else this.#takeLong(bytes, type);
  }

  #takeLong(bytes: Buffer, type: string): void {
    const next = this.#next;
    const isTwice = type === LONG_NAME ? next.longName !== undefined : next.longLink;
    if (isTwice) next.unsafe = 'it has two long names';
    const end = bytes.indexOf(0);
    if (type === LONG_LINK) next.longLink = true;
    else next.longName = bytes.toString('utf8', 0, end < 0 ? bytes.length : end);
  }

  #takePax(bytes: Buffer, isGlobal: boolean): void {
    const next = this.#next;
    const fields = paxFields(bytes);
    const keys = [...(fields?.keys() ?? [])];
    if (fields === undefined) next.unsafe = 'it has a pax header that programs read in different ways';
    else if (keys.some((key) => SPARSE.test(key)))
      next.unsafe = 'it is a sparse file: tar unpacks other bytes than it stores';
    else if (isGlobal && keys.some((key) => ['path', 'linkpath', 'size', 'hdrcharset'].includes(key)))
      next.unsafe = 'a global pax header gives every file after it the same name or size';
    else if (!isGlobal && next.pax !== undefined) next.unsafe = 'it has two pax headers';
    if (!isGlobal) next.pax = fields ?? new Map();
  }

  async *#entry(header: TarHeader): AsyncGenerator<ArchiveEntry> {
    const next = this.#next;
    this.#next = {};
    const path = next.pax?.get('path');
    const name = path ?? next.longName ?? header.name;
    const size = this.#sizeOf(header, next, name);
    let kind = kindOfType(header.type);
    const unsafe = unsafeIn(header, next, name, size);
    if (kind === 'file' && name.endsWith('/') && unsafe === undefined) kind = 'folder';
    const content = new Content(this.#bytes, size);
    yield { name, kind, content, ...(unsafe !== undefined && { unsafe }) };
    await content.skip();
    await this.#skip(padding(size));
    // The content of this entry could change the meaning of the next files.
    if (kind !== 'file' && kind !== 'unknown' && size > 0)
      throw new ArchiveFault(
        'unsafe-entry',
        `${kind} with content: programs disagree about what follows it`,
        name,
      );
  }

  #sizeOf({ size }: TarHeader, { pax }: Extensions, name: string): number {
    const paxSize = pax?.get('size');
    if (paxSize === undefined) return size;
    const isSame = Number(paxSize) === size || size === 0 || size === MAX_OCTAL;
    if (DECIMAL.test(paxSize) && isSame && (Number(paxSize) === size || Number(paxSize) > MAX_OCTAL))
      return Number(paxSize);
    throw new ArchiveFault(
      'unsafe-entry',
      'an entry has two sizes: programs disagree about what follows it',
      name,
    );
  }

  async #skip(count: number): Promise<void> {
    if ((await this.#bytes.exactly(count)).length < count) throw cut('ends in a file');
  }
}

/** Why programs read an entry in different ways; undefined if they do not. */
function unsafeIn(header: TarHeader, next: Extensions, name: string, size: number): string | undefined {
  if (next.unsafe !== undefined) return next.unsafe;
  if (header.isAmbiguous) return 'it has a name in two parts, and GNU tar reads only one';
  const path = next.pax?.get('path');
  if (path !== undefined && next.longName !== undefined)
    return 'it has a long name and another in a pax header';
  if (path === '' || next.longName === '') return 'it has an empty name';
  if (kindOfType(header.type) === 'file' && name.endsWith('/') && (size > 0 || name !== header.name))
    return 'it is a file with the name of a folder';
  return undefined;
}

const padding = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;

/** The bytes of a file, which can be read once. */
class Content implements AsyncIterable<Buffer> {
  readonly #bytes: ByteQueue;
  #left: number;

  constructor(bytes: ByteQueue, size: number) {
    this.#bytes = bytes;
    this.#left = size;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    while (this.#left > 0) {
      const piece = await this.#bytes.some(this.#left);
      if (piece === undefined) throw cut('ends in a file');
      this.#left -= piece.length;
      yield piece;
    }
  }

  async skip(): Promise<void> {
    for await (const _ of this) {
      // Skip content that nobody read.
    }
  }
}

/**
 * Yields the entries of a tar in order. Throws `corrupt`, and `unsafe-entry` if the rest cannot be read safely.
 */
export async function* tarEntries(source: AsyncIterable<Buffer>): AsyncGenerator<ArchiveEntry> {
  const bytes = new ByteQueue(source);
  try {
    yield* new TarReader(bytes).entries();
  } finally {
    await bytes.close();
  }
}
