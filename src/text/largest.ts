/**
 * The largest of some numbers, at least `least`. `Math.max(...numbers)` fails for some 100,000 of them: each is an
 * argument, on the stack.
 */
export function largest(numbers: Iterable<number>, least = 0): number {
  let most = least;
  for (const number of numbers) most = Math.max(most, number);
  return most;
}
