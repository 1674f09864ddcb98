/** A decimal number in canonical form: its digits without leading or trailing zeros, and a power of ten. */
interface Decimal {
  readonly negative: boolean;
  readonly digits: string;
  /** May far exceed the range of a double. */
  readonly exponent: bigint;
}

const PARTS = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** Numbers with longer exponents are compared as text. */
const MAX_EXPONENT_DIGITS = 400;

function decimalOf(text: string): Decimal | undefined {
  const [, sign, whole = '', fraction = '', exponent = '0'] = PARTS.exec(text) ?? [];
  if (sign === undefined || exponent.length > MAX_EXPONENT_DIGITS) return undefined;
  const all = whole + fraction;
  let first = 0;
  while (all[first] === '0') first += 1;
  let end = all.length;
  while (end > first && all[end - 1] === '0') end -= 1;
  if (first === end) return { negative: false, digits: '', exponent: 0n };
  return {
    negative: sign === '-',
    digits: all.slice(first, end),
    exponent: BigInt(exponent) + BigInt(all.length - end - fraction.length),
  };
}

/**
 * A number whose text a double would change: `12345678901234567890`, `1e400`, `1.0`. isObject returns false
 * for it.
 */
export class StoredNumber {
  /**
   * The number of values that JSON.stringify printed as doubles. writeJson reads it before and after each call.
   */
  static printedAsDouble = 0;
  /** As stored. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }

  /** The nearest double. */
  valueOf(): number {
    return Number(this.text);
  }

  /** For JSON.stringify, which only knows doubles; writeJson prints the stored text. */
  toJSON(): number {
    StoredNumber.printedAsDouble += 1;
    return Number(this.text);
  }
}

/** Whether a value is a number in either form. */
export function isNumber(value: unknown): value is number | StoredNumber {
  return typeof value === 'number' || value instanceof StoredNumber;
}

/** Whether two values are the same number: `1`, `1.0` and `10e-1` are equal. */
export function isSameNumber(a: unknown, b: unknown): boolean {
  if (!isNumber(a) || !isNumber(b)) return false;
  if (typeof a === 'number' && typeof b === 'number') return a === b;
  const [left, right] = [String(a), String(b)];
  if (left === right) return true;
  const [x, y] = [decimalOf(left), decimalOf(right)];
  if (x === undefined || y === undefined) return false;
  return x.negative === y.negative && x.digits === y.digits && x.exponent === y.exponent;
}

/** One text for all ways to write a number. */
export function canonicalNumber(value: number | StoredNumber): string {
  const double = Number(value);
  if (Number.isSafeInteger(double) && isSameNumber(value, double)) return String(double);
  const decimal = decimalOf(String(value));
  if (decimal === undefined) return String(value);
  const { negative, digits, exponent } = decimal;
  return `${negative ? '-' : ''}${digits}e${exponent}`;
}
