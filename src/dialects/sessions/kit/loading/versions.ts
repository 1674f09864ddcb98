/** Whether a version is not older than another one. Only numbers between dots count. */
export function isSince(version: string, than: string): boolean {
  const [a, b] = [numbersIn(version), numbersIn(than)];
  for (const [index, number] of b.entries()) {
    const one = a[index] ?? 0;
    if (one !== number) return one > number;
  }
  return true;
}

const numbersIn = (version: string): number[] => (version.match(/\d{1,9}/g) ?? []).slice(0, 4).map(Number);

/** The version of which the rules are known and that is nearest: the newest that is not newer, or the oldest. */
export function rulesFor(versions: readonly [string, ...string[]], version: string): string {
  return versions.find((known) => isSince(version, known)) ?? versions.at(-1) ?? versions[0];
}
