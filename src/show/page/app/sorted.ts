import { firstFrom } from '../../../base/text/first-from.ts';

/** The index of a number in a sorted list, or where it would be inserted. */
export const placeIn = (sorted: readonly number[], number: number): number =>
  firstFrom(sorted.length, (index) => (sorted[index] ?? 0) >= number);

/** The index of a number in a sorted list, or -1. */
export function indexIn(sorted: readonly number[], number: number): number {
  const place = placeIn(sorted, number);
  return sorted[place] === number ? place : -1;
}
