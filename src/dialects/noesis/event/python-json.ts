import { isNumber, type StoredNumber } from '../../../base/json/stored-number.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../base/json/value.ts';

/** Python neither prints nor reads longer integers. */
const MAX_INTEGER_DIGITS = 4300;

const INTEGER = /^(?:0|-?[1-9][0-9]*)$/;

/** A number as a double, or as the log stores it. */
type Numeric = number | StoredNumber;

/** The text of a number as stored; for a double, as JavaScript prints it. */
const storedText = (number: Numeric): string => String(number);

/** Whether a number is an int in Python: a point or an exponent makes it a float. */
export function isInteger(number: Numeric): boolean {
  return !/[.eE]/.test(storedText(number));
}

/** A float as Python prints it: the shortest digits, as in JavaScript, but with other rules for exponents. */
function floatText(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e16)) {
    const [digits = '', exponent = ''] = value.toExponential().split('e');
    return `${digits}e${exponent.charAt(0)}${exponent.slice(1).padStart(2, '0')}`;
  }
  const text = Object.is(value, -0) ? '-0' : String(value);
  return Number.isInteger(value) ? `${text}.0` : text;
}

/**
 * Whether Python prints a number as stored. If not, another program wrote it, and the text that was hashed is unknown.
 */
function isPythonNumber(number: Numeric): boolean {
  const text = storedText(number);
  if (isInteger(number)) return INTEGER.test(text) && text.length <= MAX_INTEGER_DIGITS;
  return floatText(Number(text)) === text;
}

/** Whether the canonical text of a value is certain, because Python prints every number as stored. */
export function isCertain(value: JsonValue): boolean {
  if (isNumber(value)) return isPythonNumber(value);
  if (typeof value === 'string') return value.isWellFormed();
  if (Array.isArray(value)) return value.every(isCertain);
  if (!isObject(value)) return true;
  return Object.entries(value).every(([key, item]) => key.isWellFormed() && isCertain(item));
}

/** Orders texts by code point, as Python does. JavaScript orders by UTF-16 unit. */
export function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** A character that sorts differently by UTF-16 unit and by code point. */
const LATE = /[\ud800-\uffff]/;

function sortedKeys(value: JsonObject): string[] {
  const keys = Object.keys(value);
  return keys.some((key) => LATE.test(key)) ? keys.sort(byCodePoint) : keys.sort();
}

const NOT_ASCII = /[\u007f-\uffff]/g;

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Whether non-ASCII characters are written as `\uXXXX` or as they are. */
type Characters = 'ascii' | 'utf8';

/** What Python writes between the parts of a JSON text: after an item, and after a key. */
type Separators = readonly [item: string, key: string];

/** The separators in manifests (noesis.md §7). */
export const SPACED: Separators = [', ', ': '];
const COMPACT: Separators = [',', ':'];

/** Canonical JSON as Python writes it: keys by code point, numbers as stored. */
export function pythonJson(value: JsonValue, characters: Characters, separators = COMPACT): string {
  if (isNumber(value)) return storedText(value);
  if (typeof value === 'string') {
    const text = JSON.stringify(value);
    return characters === 'ascii' ? text.replace(NOT_ASCII, escaped) : text;
  }
  const [afterItem, afterKey] = separators;
  const inner = (item: JsonValue) => pythonJson(item, characters, separators);
  if (Array.isArray(value)) return `[${value.map(inner).join(afterItem)}]`;
  if (!isObject(value)) return String(value);
  const members = sortedKeys(value).map((key) => `${inner(key)}${afterKey}${inner(value[key] ?? null)}`);
  return `{${members.join(afterItem)}}`;
}

/** A number as Python's `f"{x:.6f}"` prints it, with ties rounded to even; undefined for an infinity. */
export function sixDecimals(number: Numeric): string | undefined {
  const value = Number(number);
  if (!Number.isFinite(value)) return undefined;
  // From 1e21 on JavaScript prints an exponent; every such float is an integer.
  if (Math.abs(value) >= 1e21) return `${BigInt(value)}.000000`;
  const rounded = value.toFixed(6);
  // Only a multiple of 1/128 can be exactly between two such texts.
  const inMiddle = Number.isInteger(value * 128) && !Number.isInteger(value * 64);
  const isOdd = (rounded.charCodeAt(rounded.length - 1) & 1) === 1;
  if (inMiddle && isOdd) return (value - Math.sign(value) * 5e-7).toFixed(6);
  // In Python a float that rounds to zero keeps its sign; in JavaScript -0 itself does not.
  return Object.is(value, -0) ? `-${rounded}` : rounded;
}
