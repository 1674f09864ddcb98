/**
 * The largest of some numbers, at least `least`. `Math.max(...numbers)` overflows the stack at about 100,000
 * numbers.
 */
export function largest(numbers: Iterable<number>, least = 0): number {
  let most = least;
  for (const number of numbers) most = Math.max(most, number);
  return most;
}
