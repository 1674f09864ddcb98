/** Where a number is in a list of numbers in order; the place it would have where it is not. */
export function placeIn(sorted: readonly number[], number: number): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] ?? 0) < number) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The same; -1 where it is not. */
export function indexIn(sorted: readonly number[], number: number): number {
  const place = placeIn(sorted, number);
  return sorted[place] === number ? place : -1;
}
