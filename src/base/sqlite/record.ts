import { Bytes } from './bytes.ts';
import type { FaultOf } from './fault.ts';

/** A stored value. Whole numbers that a double cannot represent are bigints. */
export type SqlValue = null | number | bigint | string | Buffer;

/** The sizes of values by their type, from 0 to 9. */
const SIZES = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0] as const;
const DOUBLE = 7;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function integer(bytes: Buffer, at: number, size: number): number | bigint {
  if (size < 8) return bytes.readIntBE(at, size);
  const value = bytes.readBigInt64BE(at);
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function text(bytes: Buffer, page: number, fault: FaultOf): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw fault('a text in it is not UTF-8', page);
  }
}

/**
 * The values of a row, or of a key of an index. `most`: how many are read at most. Throws if the sizes in the
 * header do not add up to the length of the row.
 */
export function valuesOf(payload: Buffer, page: number, fault: FaultOf, most = Infinity): SqlValue[] {
  const header = new Bytes(payload, page, fault);
  const headerSize = header.count();
  if (headerSize < header.at || headerSize > payload.length)
    throw fault('the header of a row is cut off', page);
  const values: SqlValue[] = [];
  let at = headerSize;
  while (header.at < headerSize) {
    const type = header.count();
    if (type === 10 || type === 11) throw fault('a value has a type that SQLite reserves', page);
    const size = type < 10 ? (SIZES[type] ?? 0) : Math.floor((type - 12) / 2);
    if (at + size > payload.length) throw fault('a value is longer than its row', page);
    if (values.length < most) values.push(valueAt(payload, at, type, size, page, fault));
    at += size;
  }
  if (header.at !== headerSize || at !== payload.length)
    throw fault('a row has another length than its values', page);
  return values;
}

function valueAt(
  payload: Buffer,
  at: number,
  type: number,
  size: number,
  page: number,
  fault: FaultOf,
): SqlValue {
  if (type === 0) return null;
  if (type === DOUBLE) return payload.readDoubleBE(at);
  if (type === 8 || type === 9) return type - 8;
  if (type < 10) return integer(payload, at, size);
  const bytes = payload.subarray(at, at + size);
  return type % 2 === 1 ? text(bytes, page, fault) : bytes;
}
