/** The runs of which no other one has all answers and calls. `keys`: those of a run; of two equal runs, the first one is kept. */
export function withoutCopies<Run extends { readonly keys: ReadonlySet<string> }>(
  runs: readonly Run[],
): readonly Run[] {
  const byKey = new Map<string, number[]>();
  for (const [at, { keys }] of runs.entries())
    for (const key of keys) byKey.set(key, [...(byKey.get(key) ?? []), at]);
  const isCopyOf = (at: number, { keys }: Run, other: number): boolean => {
    const others = runs[other]?.keys;
    if (other === at || others === undefined || ![...keys].every((key) => others.has(key))) return false;
    return others.size > keys.size || other < at;
  };
  return runs.filter((run, at) => {
    const [first] = run.keys;
    return first === undefined || !(byKey.get(first) ?? []).some((other) => isCopyOf(at, run, other));
  });
}
