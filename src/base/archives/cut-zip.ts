import type { FileHandle } from 'node:fs/promises';
import { handleToRead } from '../files/open-file.ts';
import {
  bytesAt,
  DESCRIPTOR,
  DESCRIPTOR_LENGTHS,
  ELSEWHERE,
  hasDescriptor,
  zip64Sizes,
} from './zip-layout.ts';

/** An entry of a zip without a directory, as its local header describes it. */
export interface LocalEntry {
  readonly name: string;
  readonly flags: number;
  readonly method: number;
  readonly crc32: number;
  /** Where its compressed data begins and ends. */
  readonly start: number;
  readonly end: number;
}

/** The entries of a zip that was cut off before the end of its directory. */
export interface CutZip {
  /** Entries whose bytes are all there, in the order of the file. */
  readonly whole: readonly LocalEntry[];
  /** The first entry that is not whole; undefined if the file ends between two entries, or in its directory. */
  readonly cut: string | undefined;
  /** Where the entry that is not whole begins, or where no further entry begins. */
  readonly at: number;
  readonly size: number;
}

const LOCAL = 0x04034b50;
const DIRECTORY = 0x02014b50;
/** The first two bytes of every signature in a zip. */
const PK = Buffer.from('PK', 'latin1');
const HEADER_LENGTH = 30;

interface LocalHeader extends LocalEntry {
  readonly isStreamed: boolean;
}

/** The local header at an offset; undefined if it is cut off, or something else is there. */
async function headerAt(file: FileHandle, at: number): Promise<LocalHeader | undefined> {
  const head = await bytesAt(file, at, HEADER_LENGTH);
  if (head.length < HEADER_LENGTH || head.readUInt32LE(0) !== LOCAL) return undefined;
  const [nameLength, extraLength] = [head.readUInt16LE(26), head.readUInt16LE(28)];
  const rest = await bytesAt(file, at + HEADER_LENGTH, nameLength + extraLength);
  const flags = head.readUInt16LE(6);
  const packed = head.readUInt32LE(18);
  const start = at + HEADER_LENGTH + nameLength + extraLength;
  return {
    name: rest.toString('utf8', 0, nameLength),
    flags,
    method: head.readUInt16LE(8),
    crc32: head.readUInt32LE(14),
    start,
    end:
      start + (packed === ELSEWHERE ? (zip64Sizes(rest.subarray(nameLength))?.packed ?? Infinity) : packed),
    isStreamed: hasDescriptor(flags),
  };
}

interface DataEnd {
  readonly crc32: number;
  readonly end: number;
  /** Where the next entry begins. */
  readonly next: number;
}

/** In bytes: the longest data descriptor. */
const MOST = 24;
const WINDOW = 1024 * 1024;

/** The descriptor that begins at `at` of a window, if its size is that of the data before it. */
function descriptorIn(window: Buffer, at: number, end: number, dataLength: number): number | undefined {
  const isSigned = window.readUInt32LE(at) === DESCRIPTOR;
  const sums = at + (isSigned ? 4 : 0);
  const sizes = sums + 4;
  if (end === sizes + 8)
    return window.readUInt32LE(sizes) === dataLength ? window.readUInt32LE(sums) : undefined;
  if (end !== sizes + 16) return undefined;
  return Number(window.readBigUInt64LE(sizes)) === dataLength ? window.readUInt32LE(sums) : undefined;
}

/** Where signatures may begin in a window; at its end too if no bytes follow, where one may be cut off. */
function* signaturesIn(window: Buffer, from: number, isLast: boolean): Generator<number> {
  for (let at = window.indexOf(PK, from); at !== -1; at = window.indexOf(PK, at + 1)) yield at;
  if (!isLast) return;
  if (window.at(-1) === PK[0]) yield window.length - 1;
  yield window.length;
}

/**
 * Where streamed data ends: their writer stored the size behind them, in a descriptor. It is the one whose size fits, directly
 * before the next signature or at the end of the file.
 */
async function endOfStreamed(file: FileHandle, start: number, size: number): Promise<DataEnd | undefined> {
  for (let from = start; from < size; from += WINDOW) {
    const before = Math.min(MOST, from - start);
    const window = await bytesAt(file, from - before, before + WINDOW + PK.length);
    const base = from - before;
    for (const end of signaturesIn(window, before, base + window.length >= size))
      for (const length of DESCRIPTOR_LENGTHS) {
        const descriptor = end - length;
        if (descriptor < 0 || base + descriptor < start) continue;
        const crc32 = descriptorIn(window, descriptor, end, base + descriptor - start);
        if (crc32 !== undefined) return { crc32, end: base + descriptor, next: base + end };
      }
  }
  return undefined;
}

/** Finds the entries of a zip by their local headers, from the start of the file until one is not whole. */
export async function entriesBeforeCut(path: string): Promise<CutZip> {
  const file = await handleToRead(path);
  try {
    const { size } = await file.stat();
    const whole: LocalEntry[] = [];
    let at = 0;
    for (;;) {
      const header = await headerAt(file, at);
      if (header === undefined) break;
      const { isStreamed, ...entry } = header;
      const data = isStreamed
        ? await endOfStreamed(file, entry.start, size)
        : { crc32: entry.crc32, end: entry.end, next: entry.end };
      if (data === undefined || data.end > size) return { whole, cut: entry.name, at, size };
      whole.push({ ...entry, crc32: data.crc32, end: data.end });
      at = data.next;
    }
    const signature = await bytesAt(file, at, 4);
    const isDirectory = signature.length === 4 && signature.readUInt32LE(0) === DIRECTORY;
    const last = whole.at(-1);
    // A writer adds the sizes to the header when the data is complete: until then they are zero.
    const isUnfinished = last?.start === last?.end && at < size && !isDirectory;
    if (last === undefined || !isUnfinished) return { whole, cut: undefined, at, size };
    return { whole: whole.slice(0, -1), cut: last.name, at: last.start, size };
  } finally {
    await file.close();
  }
}
