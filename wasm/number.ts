// The value of a number, if a double represents it exactly.

/** The result for a number whose value may not be exact. */
export const UNKNOWN: f64 = NaN;

const MAX_EXACT: u64 = 1 << 53;

/** Powers of ten that a double represents exactly. */
const POWERS: StaticArray<f64> = [
  1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
  1e21, 1e22,
];

/**
 * The value of a valid number. A quotient or product of two exact doubles is rounded once, like in
 * JSON.parse; numbers with more digits are left to the caller.
 */
export function numberAt(p: usize, end: usize): f64 {
  const negative = load<u8>(p) == 0x2d;
  if (negative) p++;
  let digits: u64 = 0;
  let scale: i32 = 0;
  let inFraction = false;
  for (; p < end; p++) {
    const byte: u32 = load<u8>(p);
    if (byte == 0x2e) inFraction = true;
    else if (byte - 0x30 <= 9) {
      if (digits > 900000000000000) return UNKNOWN;
      digits = digits * 10 + <u64>(byte - 0x30);
      if (inFraction) scale--;
    } else break;
  }
  if (p < end) {
    p++;
    const down = load<u8>(p) == 0x2d;
    if (down || load<u8>(p) == 0x2b) p++;
    let exponent: i32 = 0;
    for (; p < end; p++) exponent = exponent * 10 + <i32>(load<u8>(p) - 0x30);
    scale += down ? -exponent : exponent;
  }
  if (digits > MAX_EXACT || scale > 22 || scale < -22) return UNKNOWN;
  const whole = <f64>digits;
  const value = scale < 0 ? whole / POWERS[-scale] : whole * POWERS[scale];
  return negative ? -value : value;
}
