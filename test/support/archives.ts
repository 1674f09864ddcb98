import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { crc32, deflateRawSync } from 'node:zlib';
import { pack } from 'tar-stream';
import xxhash from 'xxhash-wasm';

/** One entry of an archive that a test makes. */
export interface MadeEntry {
  readonly name: string;
  readonly content?: Uint8Array;
  readonly type?: 'file' | 'directory' | 'symlink' | 'link' | 'fifo' | 'character-device';
  readonly linkname?: string;
}

/** The files below a folder as entries, in the order of their names; folders as well. */
export function entriesOf(folder: string, prefix = ''): MadeEntry[] {
  const all = readdirSync(folder, { recursive: true, withFileTypes: true });
  return all
    .map((entry): MadeEntry => {
      const path = join(entry.parentPath, entry.name);
      const name = prefix + relative(folder, path);
      return entry.isDirectory()
        ? { name: `${name}/`, type: 'directory' }
        : { name, content: readFileSync(path) };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

export async function makeTar(entries: readonly MadeEntry[]): Promise<Buffer> {
  const out = pack();
  for (const { name, content = new Uint8Array(), type = 'file', linkname } of entries)
    out.entry({ name, type, ...(linkname !== undefined && { linkname }) }, Buffer.from(content));
  out.finalize();
  return buffer(out);
}

const UNIX = 3 << 8;
const MODES: Readonly<Record<string, number>> = { file: 0o100644, directory: 0o040755, symlink: 0o120777 };

/** A zip; `method` 0 stores, 8 deflates. */
export function makeZip(entries: readonly MadeEntry[], method: 0 | 8 = 8): Buffer {
  return zipOf(entries, method, (bytes) => (method === 8 ? deflateRawSync(bytes) : bytes));
}

/** A zip whose entries are compressed with zstd. */
export async function makeZstdZip(entries: readonly MadeEntry[]): Promise<Buffer> {
  const packed = new Map<Uint8Array, Buffer>();
  for (const { content } of entries) if (content) packed.set(content, await makeZstd(content));
  return zipOf(entries, 93, (_bytes, content) => packed.get(content) ?? Buffer.alloc(0));
}

function zipOf(
  entries: readonly MadeEntry[],
  method: number,
  pack: (bytes: Buffer, content: Uint8Array) => Buffer,
): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content = new Uint8Array(), type = 'file' } of entries) {
    const bytes = Buffer.from(content);
    const packed = pack(bytes, content);
    const label = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x800, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(label.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, label, packed]);
    const head = Buffer.alloc(46);
    head.write('PK\x01\x02', 'latin1');
    head.writeUInt16LE(UNIX | 20, 4);
    common.copy(head, 6);
    head.writeUInt32LE(((MODES[type] ?? 0) << 16) >>> 0, 38);
    head.writeUInt32LE(offset, 42);
    directory.push(head, label);
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, central, end]);
}

const MAX_BLOCK = 128 * 1024;

/** A zstd frame of blocks that are stored as they are, with the checksum at its end. */
export async function makeZstd(content: Uint8Array): Promise<Buffer> {
  const { h64Raw } = await xxhash();
  const bytes = Buffer.from(content);
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x58]);
  const blocks: Buffer[] = [];
  for (let at = 0; at === 0 || at < bytes.length; at += MAX_BLOCK) {
    const block = bytes.subarray(at, at + MAX_BLOCK);
    const header = Buffer.alloc(3);
    header.writeUIntLE((block.length << 3) | (at + MAX_BLOCK >= bytes.length ? 1 : 0), 0, 3);
    blocks.push(header, block);
  }
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(Number(h64Raw(bytes) & 0xffffffffn));
  return Buffer.concat([head, ...blocks, sum]);
}
