// ISO 8601 instants in the runtime's form: UTC, with up to six decimals of a second.

export const NO_TIME: i64 = i64.MIN_VALUE;

// @ts-ignore: decorator
@inline
function two(p: usize): i32 {
  const tens: u32 = <u32>load<u8>(p) - 0x30;
  const ones: u32 = <u32>load<u8>(p + 1) - 0x30;
  return tens > 9 || ones > 9 ? -1 : <i32>(tens * 10 + ones);
}

function daysInMonth(year: i32, month: i32): i32 {
  if (month == 2) return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

/** Days since 1970-01-01, counted in years that begin in March. */
function daysSince1970(year: i32, month: i32, day: i32): i64 {
  const y: i64 = <i64>year - (month <= 2 ? 1 : 0);
  const era: i64 = y / 400;
  const yearOfEra: i64 = y - era * 400;
  const dayOfYear: i64 = (153 * <i64>(month > 2 ? month - 3 : month + 9) + 2) / 5 + <i64>day - 1;
  const dayOfEra: i64 = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
  return era * 146097 + dayOfEra - 719468;
}

/**
 * A cache of the last minute, `2026-03-01T10:42`, and its seconds since 1970; the next time is often in it.
 */
const LAST_MINUTE: usize = memory.data(16);
let lastMinute: i64 = 0;

const SCALES: StaticArray<i64> = [1000000, 100000, 10000, 1000, 100, 10, 1];

/** The seconds from 1970 to a minute; NO_TIME for any other form. */
function minuteOf(p: usize): i64 {
  if (i8x16.all_true(i8x16.eq(v128.load(p), v128.load(LAST_MINUTE)))) return lastMinute;
  const century = two(p);
  const yearOfCentury = two(p + 2);
  const month = two(p + 5);
  const day = two(p + 8);
  const hour = two(p + 11);
  const minute = two(p + 14);
  if ((century | yearOfCentury | month | day | hour | minute) < 0 || load<u8>(p + 13) != 0x3a) return NO_TIME;
  if (load<u8>(p + 4) != 0x2d || load<u8>(p + 7) != 0x2d || load<u8>(p + 10) != 0x54) return NO_TIME;
  const year = century * 100 + yearOfCentury;
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return NO_TIME;
  if (hour > 23 || minute > 59) return NO_TIME;
  v128.store(LAST_MINUTE, v128.load(p));
  lastMinute = daysSince1970(year, month, day) * 86400 + <i64>(hour * 3600 + minute * 60);
  return lastMinute;
}

/** Microseconds since 1970; NO_TIME for any other form. */
export function instantOf(p: usize, length: usize): i64 {
  if (length < 20 || length > 32) return NO_TIME;
  const minute = minuteOf(p);
  const second = two(p + 17);
  if (minute == NO_TIME || second < 0 || second > 59 || load<u8>(p + 16) != 0x3a) return NO_TIME;

  let at = p + 19;
  const end = p + length;
  let micros: i64 = 0;
  if (load<u8>(at) == 0x2e) {
    at++;
    const start = at;
    while (at < end && <u32>load<u8>(at) - 0x30 <= 9) {
      micros = micros * 10 + <i64>(<u32>load<u8>(at) - 0x30);
      at++;
    }
    if (at == start || at - start > 6) return NO_TIME;
    micros *= SCALES[<i32>(at - start)];
  }
  const utc =
    (end - at == 1 && load<u8>(at) == 0x5a) ||
    (end - at == 6 && load<u32>(at) == 0x3a30302b && load<u16>(at + 4) == 0x3030);
  if (!utc) return NO_TIME;
  return (minute + <i64>second) * 1000000 + micros;
}
