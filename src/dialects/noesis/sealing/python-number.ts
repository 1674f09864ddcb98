import { StoredNumber } from '../../../json/stored-number.ts';

/** A number that Python holds as a float: `1.0` keeps its point. */
export const float = (value: number): number | StoredNumber =>
  Number.isInteger(value) ? new StoredNumber(`${value}.0`) : value;
