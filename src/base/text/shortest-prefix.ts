/**
 * For each name, the number of characters that make it unique. A name that is a prefix of another, or a
 * duplicate, needs all of them. Sorted by name.
 */
export function shortestPrefixes(names: readonly string[]): Map<string, number> {
  const sorted = [...new Set(names)].sort();
  const lengths = new Map<string, number>();
  const shared = (a: string, b: string): number => {
    let length = 0;
    while (length < a.length && a[length] === b[length]) length += 1;
    return length;
  };
  for (const [at, name] of sorted.entries()) {
    const most = Math.max(shared(name, sorted[at - 1] ?? ''), shared(name, sorted[at + 1] ?? ''));
    lengths.set(name, Math.min(name.length, most + 1));
  }
  return lengths;
}
