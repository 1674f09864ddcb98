/** The first index that fits, by bisection, if all after it fit too; `count` if none does. */
export function firstFrom(count: number, fits: (index: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (fits(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
