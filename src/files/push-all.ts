/**
 * Appends all of `from` to `to`. `push(...from)` fails for some 100,000 entries, as a folder may have: each is an argument,
 * on the stack.
 */
export function pushAll<Entry>(to: Entry[], from: readonly Entry[]): void {
  for (const entry of from) to.push(entry);
}
