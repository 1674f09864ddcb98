/** A price has at most 12 decimals and is for a million tokens. */
const DECIMALS = 18;

/** A decimal number in units of 10^-18. */
export function unitsIn(decimal: string): bigint {
  const [whole = '0', fraction = ''] = decimal.split('.');
  return BigInt(whole + fraction.padEnd(DECIMALS, '0'));
}

/** Units of 10^-18 as a decimal number. */
export function decimalOf(units: bigint): string {
  const digits = String(units).padStart(DECIMALS + 1, '0');
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '');
  return `${digits.slice(0, -DECIMALS)}${fraction === '' ? '' : `.${fraction}`}`;
}

/**
 * A price or a cost as a plain decimal number: 2.8e-7 is 0.00000028, and 0.009885000000000001, which a program got
 * when it added up doubles, is 0.009885.
 */
export const plainDecimal = (number: number): string => number.toFixed(12).replace(/\.?0+$/, '');

/** A cost without the errors of adding doubles. Undefined if it is negative or infinite. */
export const dollars = (cost: number | undefined): number | undefined =>
  cost !== undefined && cost >= 0 && cost < Infinity ? Number(plainDecimal(cost)) : undefined;
