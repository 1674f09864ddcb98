/**
 * The number of typing errors between `a` and `b`: a missing, extra or wrong character, or two swapped
 * neighbours (optimal string alignment).
 */
export function distance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (previous[column - 1] as number) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const swaps = column > 1 && row > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swapped = swaps ? (before[column - 2] as number) + 1 : Infinity;
      const moved = Math.min((previous[column] as number) + 1, (current[column - 1] as number) + 1);
      current.push(Math.min(replaced, swapped, moved));
    }
    before = previous;
    previous = current;
  }
  return previous[b.length] as number;
}
