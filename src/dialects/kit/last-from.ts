import { firstFrom } from '../../base/text/first-from.ts';

/** The index of the last range that starts at or below a number, or -1. The ranges must be sorted. */
export const lastFrom = (ranges: readonly { readonly from: number }[], value: number): number =>
  firstFrom(ranges.length, (index) => (ranges[index]?.from ?? Infinity) > value) - 1;
