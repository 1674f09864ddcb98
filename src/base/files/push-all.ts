/** Appends all of `from` to `to`. `push(...from)` overflows the stack at about 100,000 entries. */
export function pushAll<Entry>(to: Entry[], from: readonly Entry[]): void {
  for (const entry of from) to.push(entry);
}
