import { readSync } from 'node:fs';

/** The two magic numbers of a write-ahead log. The last bit is the byte order of its checksums. */
const MAGIC = 0x377f0682;
const HEADER = 32;
const FRAME_HEADER = 24;
/** How many bytes of the log are read at once. */
const CHUNK = 1024 * 1024;

/** The committed pages of a write-ahead log. */
export interface WriteAheadLog {
  /** By page number: the offset of its newest committed version. */
  readonly pages: ReadonlyMap<number, number>;
  /** The size of the database in pages after the last commit; undefined without one. */
  readonly size: number | undefined;
  /** Frames after the last commit that an unfinished write left. They are ignored. */
  readonly unfinished: number;
  /** Whether a frame whose checksum is wrong comes before one that ends a transaction. */
  readonly isBroken: boolean;
  readonly header: Buffer;
}

/** Continues the checksum of a write-ahead log. */
function checksum(bytes: Buffer, from: number, to: number, sums: Uint32Array, isBig: boolean): void {
  let [first = 0, second = 0] = sums;
  for (let at = from; at < to; at += 8) {
    const left = isBig ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at);
    const right = isBig ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4);
    first = (first + left + second) | 0;
    second = (second + right + first) | 0;
  }
  sums[0] = first;
  sums[1] = second;
}

/** The first bytes of a write-ahead log, which change when it starts again. */
export function walHeader(file: number): Buffer {
  const header = Buffer.alloc(HEADER);
  return header.subarray(0, readSync(file, header, 0, HEADER, 0));
}

/**
 * Reads which pages a write-ahead log replaces. A frame counts if its salt is that of the log, its checksum
 * and those before it are right, and a later frame commits it. Undefined for a log without a valid header,
 * which SQLite ignores too. `bytes`: the size of the file.
 */
export function readWal(file: number, bytes: number, pageSize: number): WriteAheadLog | undefined {
  const header = walHeader(file);
  if (header.length < HEADER) return undefined;
  const magic = header.readUInt32BE(0);
  if ((magic & ~1) >>> 0 !== MAGIC || header.readUInt32BE(8) !== pageSize) return undefined;
  const isBig = (magic & 1) === 1;
  const sums = new Uint32Array(2);
  checksum(header, 0, 24, sums, isBig);
  if (sums[0] !== header.readUInt32BE(24) || sums[1] !== header.readUInt32BE(28)) return undefined;
  const pages = new Map<number, number>();
  let pending: [page: number, offset: number][] = [];
  let size: number | undefined;
  let isValid = true;
  let isBroken = false;
  const length = FRAME_HEADER + pageSize;
  const buffer = Buffer.allocUnsafe(length * Math.max(1, Math.floor(CHUNK / length)));
  for (let at = HEADER; at + length <= bytes; ) {
    const count = Math.floor(readSync(file, buffer, 0, buffer.length, at) / length);
    if (count === 0) break;
    for (let index = 0; index < count; index += 1, at += length) {
      const frame = buffer.subarray(index * length, (index + 1) * length);
      // Frames of an older round of the log have another salt.
      if (frame.compare(header, 16, 24, 8, 16) !== 0)
        return { pages, size, unfinished: pending.length, isBroken, header };
      const commit = frame.readUInt32BE(4);
      if (!isValid) {
        isBroken ||= commit !== 0;
        continue;
      }
      checksum(frame, 0, 8, sums, isBig);
      checksum(frame, FRAME_HEADER, length, sums, isBig);
      const page = frame.readUInt32BE(0);
      isValid = page > 0 && sums[0] === frame.readUInt32BE(16) && sums[1] === frame.readUInt32BE(20);
      if (!isValid) {
        isBroken = commit !== 0;
        continue;
      }
      pending.push([page, at + FRAME_HEADER]);
      if (commit === 0) continue;
      for (const [number, offset] of pending) pages.set(number, offset);
      pending = [];
      size = commit;
    }
  }
  return { pages, size, unfinished: pending.length, isBroken, header };
}
