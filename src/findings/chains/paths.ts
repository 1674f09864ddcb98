import { QUOTE } from '../../base/json/ascii.ts';
import { isObject, type JsonValue } from '../../base/json/value.ts';
import { keyAt, type ValueIndex } from '../../base/json/value-index.ts';

/** A dotted path to a member. The name of a member may also contain the dots. */
export interface MemberPath {
  readonly text: string;
  readonly names: readonly string[];
}

export const pathOf = (text: string): MemberPath => ({ text, names: text.split('.') });

/** The value at a path below another value; -1 if there is none. */
export function valueAt(index: ValueIndex, from: number, { text, names }: MemberPath): number {
  if (names.length > 1) {
    const whole = index.member(from, text);
    if (whole !== -1) return whole;
  }
  let value = from;
  for (const name of names) {
    value = index.member(value, name);
    if (value === -1) break;
  }
  return value;
}

/** Whether both a member with the dots in its name and one at the path are there. */
export const isTwofold = (index: ValueIndex, from: number, { text, names }: MemberPath): boolean =>
  index.member(from, text) !== -1 && valueAt(index, from, { text: '', names }) !== -1;

/** The keys of a profile whose values are paths, and those of tables whose keys are paths. */
const PATHS = ['member', 'link', 'hash', 'group', 'each', 'key', 'kid', 'count', 'hashes', 'json'];
const TABLES = ['where', 'restart', 'same', 'equals'];

/** The paths to the members of records that a profile, or a table in it, reads. */
export function pathsIn(table: object): MemberPath[] {
  return Object.entries(table).flatMap(([key, value]: [string, unknown]) => {
    if (typeof value === 'string') return PATHS.includes(key) ? [pathOf(value)] : [];
    if (typeof value !== 'object' || value === null) return [];
    if (key === 'map') return Object.values(value).map((path) => pathOf(String(path)));
    const keys = TABLES.includes(key) ? Object.keys(value).map(pathOf) : [];
    const values = key === 'same' ? Object.values(value).map((path) => pathOf(String(path))) : [];
    return [...keys, ...values, ...pathsIn(value)];
  });
}

/** The text of a value: decoded if it is a string, else as stored; undefined if there is no value. */
export function textOf(index: ValueIndex, value: number): string | undefined {
  if (value === -1) return undefined;
  const { bytes } = index;
  const start = index.startOf(value);
  if (bytes[start] === QUOTE) return keyAt(bytes, start);
  return textBetween(bytes, start, index.endOf(value));
}

/** Decodes a range of bytes. Most are in a buffer already, and another view of it takes longer than the text. */
function textBetween(bytes: Uint8Array, from: number, to: number): string {
  const buffer = bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return buffer.toString('utf8', from, to);
}

/** The text of a value, if it is likely to be `expected`, which is then not decoded again. */
export function textLike(index: ValueIndex, value: number, expected: string | undefined): string | undefined {
  if (value === -1) return undefined;
  const { bytes } = index;
  const [from, to] = [index.startOf(value), index.endOf(value)];
  // Text of one byte per character without escapes is compared by the engine.
  if (expected !== undefined && bytes[from] === QUOTE && to - from === expected.length + 2) {
    const stored = textBetween(bytes, from + 1, to - 1);
    if (stored === expected && !stored.includes('\\')) return expected;
  }
  return textOf(index, value);
}

/** Whether a value is null. */
export const isNull = (index: ValueIndex, value: number): boolean =>
  value !== -1 && index.bytes[index.startOf(value)] === 0x6e;

/** The value at a path of a parsed record. */
export function parsedAt(record: JsonValue, { text, names }: MemberPath): JsonValue | undefined {
  if (isObject(record) && Object.hasOwn(record, text)) return record[text];
  let value: JsonValue | undefined = record;
  for (const name of names) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}

/** Members that must have these values, as text. */
export type Condition = readonly (readonly [path: MemberPath, value: string])[];

export const conditionOf = (table: Readonly<Record<string, unknown>> = {}): Condition =>
  Object.entries(table).map(([path, value]) => [pathOf(path), String(value)]);

/** Whether the members of a value fulfil a condition. */
export function holds(index: ValueIndex, root: number, condition: Condition): boolean {
  for (const [path, value] of condition)
    if (textOf(index, valueAt(index, root, path)) !== value) return false;
  return true;
}
