// How programs print a number again before they hash it.

const INTEGER = /^-?\d+$/;
/** Python prints a double with an exponent below this power of ten, and from the other. */
const [PYTHON_LEAST, PYTHON_MOST] = [-4, 16];

/** A number as JavaScript and RFC 8785 print it. */
export const printedByJavaScript = (stored: string): string => {
  const number = Number(stored);
  // JSON.stringify prints infinity as null, which would equal another value.
  return Number.isFinite(number) ? JSON.stringify(number) : stored;
};

/** A number as json.dumps of Python prints it: integers of any size, and doubles with a point or an exponent. */
export function printedByPython(stored: string): string {
  if (INTEGER.test(stored)) return stored === '-0' ? '0' : stored;
  const number = Number(stored);
  if (!Number.isFinite(number)) return number > 0 ? 'Infinity' : '-Infinity';
  if (number === 0) return Object.is(number, -0) ? '-0.0' : '0.0';
  const [mantissa = '', power = ''] = number.toExponential().split('e');
  const sign = mantissa.startsWith('-') ? '-' : '';
  const digits = mantissa.replace(/[-.]/g, '');
  const exponent = Number(power);
  if (exponent < PYTHON_LEAST || exponent >= PYTHON_MOST) {
    const size = String(Math.abs(exponent)).padStart(2, '0');
    return `${mantissa}e${exponent < 0 ? '-' : '+'}${size}`;
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`;
}

/** Whether programs print a number differently, or a double cannot hold it. */
export const isAmbiguous = (stored: string): boolean =>
  (INTEGER.test(stored) && !Number.isSafeInteger(Number(stored))) ||
  printedByJavaScript(stored) !== stored ||
  printedByPython(stored) !== stored;
