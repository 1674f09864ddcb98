/** The index of a number in a sorted list, or where it would be inserted. */
export function placeIn(sorted: readonly number[], number: number): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] ?? 0) < number) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The index of a number in a sorted list, or -1. */
export function indexIn(sorted: readonly number[], number: number): number {
  const place = placeIn(sorted, number);
  return sorted[place] === number ? place : -1;
}
