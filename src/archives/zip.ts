import { crc32 } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { messageOf } from '../errors.ts';
import type { Budget } from './budget.ts';
import { zstdData } from './decompress.ts';
import type { ArchiveEntry } from './entry.ts';
import { ArchiveFault } from './problem.ts';

const corrupt = (message: string, entry?: string) => new ArchiveFault('corrupt', message, entry);

/** Names are read here: yauzl would refuse the whole archive for one that it does not like. */
const OPTIONS = {
  lazyEntries: true,
  autoClose: false,
  decodeStrings: false,
  validateEntrySizes: true,
} as const;

function openZip(path: string): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    yauzl.open(path, OPTIONS, (error, zip) => {
      if (error) reject(corrupt(`it cannot be read as a zip (${messageOf(error)})`));
      else resolve(zip);
    });
  });
}

/** An entry of the directory at the end of a zip. */
interface Listed {
  readonly entry: Entry;
  readonly name: string;
}

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

/** What a mode of Unix says; all that is no file, folder or link is a device of some kind. */
function kindOfMode(format: number): ArchiveEntry['kind'] {
  if (format === REGULAR) return 'file';
  if (format === FOLDER) return 'folder';
  return format === LINK ? 'link' : 'device';
}

function kindOf({ entry, name }: Listed): ArchiveEntry['kind'] {
  // Only programs that know Unix set the mode.
  const mode = (entry.externalFileAttributes >>> 16) & FORMAT;
  if (mode !== 0) return kindOfMode(mode);
  return name.endsWith('/') ? 'folder' : 'file';
}

const STORED = 0;
const DEFLATED = 8;
const ZSTD = 93;

/**
 * A zip says of each entry twice what it is: in its directory, and before its bytes. Programs that unpack a zip as it
 * comes go by the second, so both must say the same, or two people see different traces.
 */
async function checkHeader(zip: ZipFile, { entry, name }: Listed): Promise<void> {
  const header = await zip.readLocalFileHeaderPromise(entry);
  const raw = entry.fileName as unknown as Buffer;
  if (!raw.equals(header.fileName) || header.compressionMethod !== entry.compressionMethod)
    throw corrupt('the directory and the header of an entry contradict each other', name);
}

/** What an entry holds, unpacked. yauzl knows no zstd, and counts nothing of what it hands over raw. */
async function streamOf(zip: ZipFile, entry: Entry): Promise<AsyncIterable<Buffer>> {
  if (entry.compressionMethod !== ZSTD)
    return (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>;
  const raw = (await zip.openReadStreamPromise(entry, { decodeFileData: false })) as AsyncIterable<Buffer>;
  return zstdData(raw);
}

/** The bytes of an entry; neither yauzl nor others hold them against the checksum in the directory. */
async function* contentOf(zip: ZipFile, listed: Listed, budget: Budget): AsyncGenerator<Buffer> {
  const { entry, name } = listed;
  if (entry.isEncrypted()) throw corrupt('an entry is encrypted', name);
  const method = entry.compressionMethod;
  if (method !== STORED && method !== DEFLATED && method !== ZSTD)
    throw corrupt(`an entry is compressed in a way (method ${method}) that is not read here`, name);
  let sum = 0;
  try {
    await checkHeader(zip, listed);
    for await (const chunk of await streamOf(zip, entry)) {
      budget.add(chunk.length);
      sum = crc32(chunk, sum);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof ArchiveFault) throw error;
    throw corrupt(`an entry cannot be read (${messageOf(error)})`, name);
  }
  if (sum !== entry.crc32)
    throw corrupt('an entry does not have the checksum it names: it was damaged', name);
}

/** The folder of an entry and its own name. */
function partsOf(name: string): [folder: string, own: string] {
  const at = name.replace(/\/$/, '').lastIndexOf('/');
  return [name.slice(0, at + 1), name.slice(at + 1)];
}

/** Folder by folder, the files of one before the folders in it: so they are unpacked in the order of the verification. */
function byFolder(a: Listed, b: Listed): number {
  const [folderA, ownA] = partsOf(a.name);
  const [folderB, ownB] = partsOf(b.name);
  if (folderA !== folderB) return folderA < folderB ? -1 : 1;
  return ownA < ownB ? -1 : ownA > ownB ? 1 : 0;
}

/** The entries of a zip. Throws `corrupt`. */
export async function* zipEntries(path: string, budget: Budget): AsyncGenerator<ArchiveEntry> {
  const zip = await openZip(path);
  try {
    budget.packed = zip.fileSize;
    for (const listed of (await listEntries(zip, budget)).sort(byFolder))
      yield { name: listed.name, kind: kindOf(listed), content: contentOf(zip, listed, budget) };
  } finally {
    zip.close();
  }
}
