import { grouped } from '../../base/text/grouped.ts';

/** The runs of which no other one has all answers and calls. `keys`: those of a run; of two equal runs, the first one is kept. */
export function withoutCopies<Run extends { readonly keys: ReadonlySet<string> }>(
  runs: readonly Run[],
): readonly Run[] {
  const byKey = grouped(
    runs.flatMap(({ keys }, at) => [...keys].map((key) => ({ key, at }))),
    ({ key }) => key,
  );
  const isCopyOf = (at: number, { keys }: Run, other: number): boolean => {
    const others = runs[other]?.keys;
    if (other === at || others === undefined || ![...keys].every((key) => others.has(key))) return false;
    return others.size > keys.size || other < at;
  };
  return runs.filter((run, at) => {
    const [first] = run.keys;
    return first === undefined || !(byKey.get(first) ?? []).some((other) => isCopyOf(at, run, other.at));
  });
}
