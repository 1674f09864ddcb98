import type { ArchiveEntry } from './entry.ts';
import { ArchiveFault } from './problem.ts';

/** The size of a header, and the unit in which content is stored. */
export const BLOCK = 512;

/** A header block of a tar. */
export interface TarHeader {
  readonly name: string;
  /** The type as it is stored; `\0` is an old form of `0`. */
  readonly type: string;
  readonly size: number;
  /** Programs disagree about the name. */
  readonly isAmbiguous: boolean;
}

const KINDS: Readonly<Record<string, ArchiveEntry['kind']>> = {
  '\0': 'file',
  '0': 'file',
  '7': 'file',
  '1': 'link',
  '2': 'link',
  '3': 'device',
  '4': 'device',
  '5': 'folder',
  '6': 'device',
};

/** Other types may contain anything: tar does not unpack the stored bytes of a sparse file, for example. */
export const kindOfType = (type: string): ArchiveEntry['kind'] => KINDS[type] ?? 'unknown';

const corrupt = (what: string) => new ArchiveFault('corrupt', `it cannot be read as a tar (${what})`);

function textAt(block: Buffer, start: number, length: number): string {
  const field = block.subarray(start, start + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end < 0 ? length : end);
}

/**
 * Parses a number in octal, or in binary if its first byte is 0x80. Other forms are refused, because programs
 * disagree about them.
 */
function numberAt(block: Buffer, start: number, length: number): number {
  const field = block.subarray(start, start + length);
  if (field[0] === 0x80) {
    const value = Number(BigInt(`0x${field.toString('hex', 1)}`));
    if (Number.isSafeInteger(value)) return value;
  }
  const [, digits] = /^ *([0-7]*)[ \0]*$/.exec(field.toString('latin1')) ?? [];
  if (digits === undefined) throw corrupt('a header has a field that is not a number');
  return digits === '' ? 0 : Number.parseInt(digits, 8);
}

const CHECKSUM = 148;
const CHECKSUM_LENGTH = 8;

/** The checksum counts its own field as spaces. */
function checksumOf(block: Buffer): number {
  let sum = CHECKSUM_LENGTH * 0x20;
  for (const [at, byte] of block.entries())
    if (at < CHECKSUM || at >= CHECKSUM + CHECKSUM_LENGTH) sum += byte;
  return sum;
}

const PREFIX = 345;
const PREFIX_LENGTH = 155;

/** Reads a header block. Throws `corrupt`. */
export function tarHeader(block: Buffer): TarHeader {
  if (numberAt(block, CHECKSUM, CHECKSUM_LENGTH) !== checksumOf(block))
    throw corrupt('the checksum of a header is wrong');
  const magic = block.toString('latin1', 257, 265);
  const isPosix = magic.startsWith('ustar\0');
  if (!isPosix && magic !== 'ustar  \0') throw corrupt('a header has an unknown format');
  const prefix = textAt(block, PREFIX, PREFIX_LENGTH);
  const name = textAt(block, 0, 100);
  return {
    name: isPosix && prefix !== '' ? `${prefix}/${name}` : name,
    type: block.toString('latin1', 156, 157),
    size: numberAt(block, 124, 12),
    // GNU tar stores times in this field; Python reads them as part of the name.
    isAmbiguous: !isPosix && prefix !== '',
  };
}

/** The fields of a pax header; undefined if programs read them in different ways. */
export function paxFields(bytes: Buffer): ReadonlyMap<string, string> | undefined {
  const fields = new Map<string, string>();
  for (let at = 0; at < bytes.length; ) {
    const [start = '', digits = ''] = /^([1-9]\d{0,8}) /.exec(bytes.toString('latin1', at, at + 10)) ?? [];
    const end = at + Number(digits);
    if (start === '' || end > bytes.length || bytes[end - 1] !== 0x0a) return undefined;
    const record = bytes.toString('utf8', at + start.length, end - 1);
    const equals = record.indexOf('=');
    const key = record.slice(0, equals);
    if (equals < 1 || fields.has(key)) return undefined;
    fields.set(key, record.slice(equals + 1));
    at = end;
  }
  return fields;
}
