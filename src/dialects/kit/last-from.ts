/** The index of the last range that starts at or below a number, or -1. The ranges must be sorted. */
export function lastFrom(ranges: readonly { readonly from: number }[], value: number): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const { from } = ranges[middle] as { readonly from: number };
    if (from <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
