import type { FileHandle } from 'node:fs/promises';
import type { Entry, LocalFileHeader } from 'yauzl';
import { handleToRead } from '../files/open-file.ts';
import { ArchiveFault } from './problem.ts';

/** Where an entry of a zip is stored. */
export interface StoredEntry {
  readonly entry: Entry;
  readonly header: LocalFileHeader;
}

/** The start and end of a zip's directory, and the start of its end record. */
interface DirectoryPlace {
  readonly start: number;
  readonly end: number;
  readonly trailer: number;
}

const HAS_DESCRIPTOR = 8;
/** The signature of a data descriptor. */
export const DESCRIPTOR = 0x08074b50;

/** Whether a data descriptor follows the data of an entry, by its flags: streaming writers add it. */
export const hasDescriptor = (flags: number): boolean => (flags & HAS_DESCRIPTOR) !== 0;

/** A data descriptor may lack its signature, and its sizes have 4 or 8 bytes. */
export const DESCRIPTOR_LENGTHS: readonly number[] = [12, 16, 20, 24];

/** Some programs read a zip from its start, and unpack data between the listed entries. */
const unlisted = (at: number, end: number) =>
  new ArchiveFault(
    'unsafe-entry',
    end > at
      ? `it has ${end - at} bytes at offset ${at} that its directory does not list: some programs unpack them`
      : `two of its entries share the bytes at offset ${end}: programs disagree about whose they are`,
  );

/** The bytes at an offset of a file; fewer than `length` at its end. */
export async function bytesAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}

/** Whether the bytes after an entry are a data descriptor, which streaming writers add. */
async function isDescriptor(file: FileHandle, at: number, end: number, { entry, header }: StoredEntry) {
  const isStreamed = hasDescriptor(header.generalPurposeBitFlag | entry.generalPurposeBitFlag);
  if (!isStreamed || !DESCRIPTOR_LENGTHS.includes(end - at)) return false;
  const bytes = await bytesAt(file, at, end - at);
  const isSigned = (end - at) % 8 === 0;
  if (isSigned && bytes.readUInt32LE(0) !== DESCRIPTOR) return false;
  return bytes.readUInt32LE(isSigned ? 4 : 0) === entry.crc32;
}

/** Whether the bytes before the end record belong to a zip64 directory. */
async function isZip64(file: FileHandle, { end, trailer }: DirectoryPlace): Promise<boolean> {
  if (trailer - end < 76) return false;
  const bytes = await bytesAt(file, end, trailer - end);
  const isRecord =
    bytes.readUInt32LE(0) === 0x06064b50 && bytes.readUInt32LE(bytes.length - 20) === 0x07064b50;
  return isRecord && Number(bytes.readBigUInt64LE(4)) + 12 + 20 === bytes.length;
}

/**
 * Refuses a zip with bytes that its directory does not account for: some programs unpack an entry that only
 * has a local header, and others do not. Throws `unsafe-entry`.
 */
export async function requireListed(
  path: string,
  entries: readonly StoredEntry[],
  directory: DirectoryPlace,
): Promise<void> {
  const inOrder = [...entries].sort(
    (a, b) => a.entry.relativeOffsetOfLocalHeader - b.entry.relativeOffsetOfLocalHeader,
  );
  const file = await handleToRead(path);
  try {
    let at = 0;
    let last: StoredEntry | undefined;
    for (const next of [...inOrder, undefined]) {
      const start = next?.entry.relativeOffsetOfLocalHeader ?? directory.start;
      const isGap = start !== at;
      if (isGap && !(last && (await isDescriptor(file, at, start, last)))) throw unlisted(at, start);
      if (next === undefined) break;
      at = next.header.fileDataStart + next.entry.compressedSize;
      last = next;
    }
    if (directory.end !== directory.trailer && !(await isZip64(file, directory)))
      throw unlisted(directory.end, directory.trailer);
  } finally {
    await file.close();
  }
}

const UNICODE_PATH = 0x7075;
/** A version and a checksum come before the name. */
const BEFORE_NAME = 5;

/** Yields the extra fields of an entry. */
function* extraFields(extra: Buffer): Generator<{ readonly id: number; readonly content: Buffer }> {
  for (let at = 0; at + 4 <= extra.length; ) {
    const end = at + 4 + extra.readUInt16LE(at + 2);
    yield { id: extra.readUInt16LE(at), content: extra.subarray(at + 4, end) };
    at = end;
  }
}

/** A size that does not fit into 32 bits has this value and is stored elsewhere. */
export const ELSEWHERE = 0xffffffff;

const ZIP64 = 0x0001;

/** The sizes of an entry whose header has no room for them; undefined if no extra field has them. */
export function zip64Sizes(extra: Buffer): { readonly packed: number } | undefined {
  for (const { id, content } of extraFields(extra))
    if (id === ZIP64 && content.length >= 16) return { packed: Number(content.readBigUInt64LE(8)) };
  return undefined;
}

/** Whether an extra field renames an entry: some programs use that name, and some do not. */
export function hasOtherName(name: Buffer, extra: Buffer): boolean {
  for (const { id, content } of extraFields(extra))
    if (id === UNICODE_PATH && !content.subarray(BEFORE_NAME).equals(name)) return true;
  return false;
}
