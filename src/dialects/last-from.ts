/**
 * The index of the last range that starts at or below a number; -1 if there is none. The ranges must be
 * sorted.
 */
export function lastFrom(stretches: readonly { readonly from: number }[], value: number): number {
  let low = 0;
  let high = stretches.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const { from } = stretches[middle] as { readonly from: number };
    if (from <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
