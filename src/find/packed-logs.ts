import { join } from 'node:path';
import { Budget, DEFAULT_MAX_UNPACKED } from '../base/archives/budget.ts';
import { type Compression, type PackedFormat, packedFormat, unpackedName } from '../base/archives/format.ts';
import { unpackedBytes } from '../base/archives/open.ts';
import { NEWLINE } from '../base/json/ascii.ts';
import { jsonIn } from '../base/json/parse.ts';
import { isObject, type JsonObject } from '../base/json/value.ts';
import { isLog, isNamedAsLog, LONGEST_SAMPLE, mayBeLog } from '../dialects/kit/sample.ts';
import { DOCUMENT_HEADS, isDocument, isNamedAsDocument } from './document-logs.ts';

/** A compressed log in a folder. */
interface PackedLog {
  readonly name: string;
  readonly packed: PackedFormat;
}

/** In bytes; enough for the first records of a log. */
const HEAD = 64 * 1024;

/** The beginning of a compressed file. */
interface PackedHead {
  readonly bytes: Buffer;
  /** It could be unpacked, and has at least one whole line. */
  readonly isSound: boolean;
}

/** The first lines of a compressed file after unpacking, as far as that is possible. */
export async function headOf(path: string, compression: Compression): Promise<PackedHead> {
  const parts: Buffer[] = [];
  let size = 0;
  let most = LONGEST_SAMPLE;
  try {
    const budget = new Budget({ maxUnpacked: DEFAULT_MAX_UNPACKED });
    for await (const part of unpackedBytes(path, compression, budget)) {
      parts.push(part);
      size += part.length;
      if (part.includes(NEWLINE)) most = HEAD;
      if (size >= most) break;
    }
    return { bytes: Buffer.concat(parts), isSound: size < LONGEST_SAMPLE || most === HEAD };
  } catch {
    return { bytes: Buffer.concat(parts), isSound: false };
  }
}

/** Whether a compressed file begins as a document of a run. If it is damaged, what comes before the damage decides. */
async function isPackedDocument(path: string, fileName: string, compression: Compression): Promise<boolean> {
  const parts: Buffer[] = [];
  const isFound = () => isDocument(fileName, Buffer.concat(parts).toString('latin1', 0, many));
  const [few, many] = DOCUMENT_HEADS;
  let [size, most] = [0, few as number];
  try {
    const budget = new Budget({ maxUnpacked: DEFAULT_MAX_UNPACKED });
    for await (const part of unpackedBytes(path, compression, budget)) {
      parts.push(part);
      size += part.length;
      if (size < most) continue;
      if (most === many || isFound() !== undefined) break;
      most = many;
    }
  } catch {
    // Verification reports the damage.
  }
  return isFound() ?? false;
}

function* recordsIn(bytes: Buffer): Generator<JsonObject> {
  for (let from = 0; from < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, from);
    const to = newline === -1 ? bytes.length : newline;
    // A damaged line does not reveal the format.
    const value = jsonIn(bytes.toString('utf8', from, to));
    if (isObject(value)) yield value;
    from = to + 1;
  }
}

async function isPackedLog(path: string, fileName: string, compression: Compression): Promise<boolean> {
  const { bytes, isSound } = await headOf(path, compression);
  return !isSound || isLog({ fileName, records: [...recordsIn(bytes)] });
}

/**
 * The compressed logs in a folder, known by their names or first records. Includes files that cannot be
 * unpacked or have no end of a line, so that verification reports them.
 */
export async function packedLogsAmong(dir: string, names: readonly string[]): Promise<PackedLog[]> {
  const found: PackedLog[] = [];
  for (const name of [...names].sort()) {
    const packed = packedFormat(name);
    const fileName = unpackedName(name);
    if (packed?.kind !== 'file') continue;
    const path = join(dir, name);
    const isFound =
      (isNamedAsDocument(fileName) && (await isPackedDocument(path, fileName, packed.compression))) ||
      ((isNamedAsLog(fileName) || mayBeLog(fileName)) &&
        (await isPackedLog(path, fileName, packed.compression)));
    if (isFound) found.push({ name, packed });
  }
  return found;
}
