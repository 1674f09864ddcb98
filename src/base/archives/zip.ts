import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { messageOf } from '../errors.ts';
import { openToRead, streamToRead } from '../files/open-file.ts';
import { Budget, DEFAULT_MAX_UNPACKED } from './budget.ts';
import type { CutZip, LocalEntry } from './cut-zip.ts';
import { deflatedData, zstdData } from './decompress.ts';
import type { ArchiveEntry } from './entry.ts';
import { ArchiveFault } from './problem.ts';
import { ELSEWHERE, hasDescriptor, hasOtherName, requireListed, type StoredEntry } from './zip-layout.ts';

const corrupt = (message: string, entry?: string) => new ArchiveFault('corrupt', message, entry);

/** Names are decoded here: yauzl would refuse the whole archive because of one bad name. */
const OPTIONS = {
  lazyEntries: true,
  autoClose: false,
  decodeStrings: false,
  validateEntrySizes: true,
} as const;

function openZip(path: string): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    yauzl.fromFd(openToRead(path), OPTIONS, (error, zip) => {
      if (error) reject(corrupt(`it cannot be read as a zip (${messageOf(error)})`));
      else resolve(zip);
    });
  });
}

/** An entry of the central directory. */
interface Listed {
  readonly entry: Entry;
  readonly name: string;
}

interface Stored extends Listed, StoredEntry {}

function listEntries(zip: ZipFile, budget: Budget): Promise<Listed[]> {
  return new Promise((resolve, reject) => {
    const all: Listed[] = [];
    zip.on('error', (error) => reject(corrupt(`its directory cannot be read (${messageOf(error)})`)));
    zip.on('end', () => resolve(all));
    zip.on('entry', (entry) => {
      try {
        budget.entry();
        const raw = entry.fileName as unknown as Buffer;
        const name = yauzl.getFileNameLowLevel(entry.generalPurposeBitFlag, raw, entry.extraFields, true);
        all.push({ entry, name });
        zip.readEntry();
      } catch (error) {
        reject(error);
      }
    });
    zip.readEntry();
  });
}

const FORMAT = 0o170000;
const REGULAR = 0o100000;
const FOLDER = 0o040000;
const LINK = 0o120000;

/** The kind of file in a Unix mode; anything but a file, folder or link is a device of some kind. */
function kindOfMode(format: number): ArchiveEntry['kind'] {
  if (format === REGULAR) return 'file';
  if (format === FOLDER) return 'folder';
  return format === LINK ? 'link' : 'device';
}

/** The file type in the Unix mode; 0 if the writer did not set one. */
const formatOf = ({ entry }: Pick<Listed, 'entry'>): number => (entry.externalFileAttributes >>> 16) & FORMAT;

function kindOf(listed: Listed): ArchiveEntry['kind'] {
  const mode = formatOf(listed);
  if (mode !== 0) return kindOfMode(mode);
  return listed.name.endsWith('/') ? 'folder' : 'file';
}

const STORED = 0;
const DEFLATED = 8;
const ZSTD = 93;

const ENCRYPTED = 1;
const UTF8_NAME = 0x800;

/**
 * A zip describes each entry twice: in its directory and in a local header. Programs that unpack a zip from
 * its start use the local header. Both must agree, or two people see different traces.
 */
function headersAgree({ entry, header }: StoredEntry): boolean {
  const raw = entry.fileName as unknown as Buffer;
  const flags = header.generalPurposeBitFlag;
  if (!raw.equals(header.fileName) || header.compressionMethod !== entry.compressionMethod) return false;
  if (((flags ^ entry.generalPurposeBitFlag) & (ENCRYPTED | UTF8_NAME)) !== 0) return false;
  // Streaming writers store the sizes after the data.
  if (hasDescriptor(flags)) return true;
  const fits = (size: number, listed: number) => size === listed || size === ELSEWHERE;
  return (
    header.crc32 === entry.crc32 &&
    fits(header.compressedSize, entry.compressedSize) &&
    fits(header.uncompressedSize, entry.uncompressedSize)
  );
}

/** Why programs unpack an entry in different ways; undefined if they do not. */
function unsafeIn({ entry, header, name }: Stored): string | undefined {
  const raw = entry.fileName as unknown as Buffer;
  if (hasOtherName(raw, entry.extraFieldRaw) || hasOtherName(raw, header.extraField))
    return 'an extra field gives it another name';
  // Some programs use the mode, others the slash, and others write anything with content as a file.
  const format = formatOf({ entry });
  const isFolder = name.endsWith('/');
  if (format !== 0 && (format === FOLDER) !== isFolder)
    return 'its name and its mode disagree about whether it is a folder';
  return isFolder && entry.uncompressedSize > 0 ? 'it is a folder with content' : undefined;
}

/** The decompressed content of an entry. yauzl does not know zstd, and does not count raw output. */
async function streamOf(zip: ZipFile, entry: Entry): Promise<AsyncIterable<Buffer>> {
  if (entry.compressionMethod !== ZSTD)
    return (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>;
  const raw = (await zip.openReadStreamPromise(entry, { decodeFileData: false })) as AsyncIterable<Buffer>;
  return zstdData(raw);
}

/** What is known of the content of an entry before it is read. */
interface ContentToCheck {
  readonly name: string;
  readonly isEncrypted: boolean;
  readonly method: number;
  readonly crc32: number;
}

/** The decompressed bytes of an entry, checked against its checksum. `open`: begins to decompress them. */
async function* checkedContent(
  { name, isEncrypted, method, crc32: wanted }: ContentToCheck,
  budget: Budget,
  open: () => Promise<AsyncIterable<Buffer>>,
): AsyncGenerator<Buffer> {
  if (isEncrypted) throw corrupt('an entry is encrypted', name);
  if (method !== STORED && method !== DEFLATED && method !== ZSTD)
    throw corrupt(`an entry uses compression method ${method}, which noesis cannot read`, name);
  let sum = 0;
  try {
    for await (const chunk of await open()) {
      budget.add(chunk.length);
      sum = crc32(chunk, sum);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof ArchiveFault) throw error;
    throw corrupt(`an entry cannot be read (${messageOf(error)})`, name);
  }
  if (sum !== wanted) throw corrupt('the checksum of an entry is wrong: it was damaged', name);
}

/** The bytes of an entry. Checks them against the checksum in the directory, which yauzl does not do. */
function contentOf(zip: ZipFile, listed: Stored, budget: Budget): AsyncIterable<Buffer> {
  const { entry, name } = listed;
  const { compressionMethod: method, crc32: sum } = entry;
  const known = { name, isEncrypted: entry.isEncrypted(), method, crc32: sum };
  return checkedContent(known, budget, async () => {
    if (!headersAgree(listed)) throw corrupt('the directory and the header of an entry differ', name);
    return streamOf(zip, entry);
  });
}

/** The bytes of an entry of a zip without a directory. */
function localContent(path: string, entry: LocalEntry, budget: Budget): AsyncIterable<Buffer> {
  const { start, end, method, flags } = entry;
  return checkedContent({ ...entry, isEncrypted: (flags & ENCRYPTED) !== 0 }, budget, async () => {
    if (start === end) return Readable.from([]) as AsyncIterable<Buffer>;
    const bytes = streamToRead(path, CHUNK, { start, end }) as AsyncIterable<Buffer>;
    if (method === STORED) return bytes;
    return method === ZSTD ? zstdData(bytes) : deflatedData(bytes);
  });
}

/** Splits the path of an entry into its folder and its file name. */
function partsOf(name: string): [folder: string, own: string] {
  const at = name.replace(/\/$/, '').lastIndexOf('/');
  return [name.slice(0, at + 1), name.slice(at + 1)];
}

/** Sorts by folder, files before subfolders: the order in which episodes are verified. */
function byFolder(a: { readonly name: string }, b: { readonly name: string }): number {
  const [folderA, ownA] = partsOf(a.name);
  const [folderB, ownB] = partsOf(b.name);
  if (folderA !== folderB) return folderA < folderB ? -1 : 1;
  return ownA < ownB ? -1 : ownA > ownB ? 1 : 0;
}

async function withHeader(zip: ZipFile, { entry, name }: Listed): Promise<Stored> {
  try {
    return { entry, name, header: await zip.readLocalFileHeaderPromise(entry) };
  } catch (error) {
    throw corrupt(`an entry cannot be read (${messageOf(error)})`, name);
  }
}

/** yauzl's position in the directory, which it does not export. */
const cursorOf = (zip: ZipFile): number => Number(Reflect.get(zip, 'readEntryCursor'));

const END_LENGTH = 22;
const CHUNK = 256 * 1024;

/** Whether the directory of a zip cannot be read, as after a copy that was cut short. */
export async function lacksDirectory(path: string): Promise<boolean> {
  let zip: ZipFile | undefined;
  try {
    zip = await openZip(path);
    const budget = new Budget({ maxUnpacked: DEFAULT_MAX_UNPACKED });
    budget.packed = zip.fileSize;
    await listEntries(zip, budget);
    return false;
  } catch (error) {
    if (error instanceof ArchiveFault) return error.problem.kind === 'corrupt';
    throw error;
  } finally {
    zip?.close();
  }
}

/** Yields the whole entries of a zip that was cut off, in the order of {@link zipEntries}. Throws `corrupt`. */
export async function* cutZipEntries(
  path: string,
  { whole, size }: CutZip,
  budget: Budget,
): AsyncGenerator<ArchiveEntry> {
  budget.packed = size;
  for (const entry of [...whole].sort(byFolder)) {
    budget.entry();
    const kind = entry.name.endsWith('/') ? 'folder' : 'file';
    yield { name: entry.name, kind, content: localContent(path, entry, budget) };
  }
}

/**
 * Yields the entries of a zip. Throws `corrupt`, and `unsafe-entry` if programs read one in different ways.
 */
export async function* zipEntries(path: string, budget: Budget): AsyncGenerator<ArchiveEntry> {
  const zip = await openZip(path);
  try {
    budget.packed = zip.fileSize;
    const start = cursorOf(zip);
    const listed = await listEntries(zip, budget);
    const stored: Stored[] = [];
    for (const one of listed) stored.push(await withHeader(zip, one));
    const trailer = zip.fileSize - END_LENGTH - zip.comment.length;
    await requireListed(path, stored, { start, end: cursorOf(zip), trailer });
    for (const one of stored.sort(byFolder)) {
      const unsafe = unsafeIn(one);
      const content = contentOf(zip, one, budget);
      yield { name: one.name, kind: kindOf(one), content, ...(unsafe !== undefined && { unsafe }) };
    }
  } finally {
    zip.close();
  }
}
