import { compareBehaviour } from './behaviour.ts';
import type { CompareOptions, RunComparison } from './compare-runs.ts';
import type { RunSource } from './read-run.ts';
import type { RunDifferenceHead } from './run-difference.ts';

/** Whether an option asks for a comparison of the stored events. */
export const asksForEvents = ({ exact, only, ignore, times }: CompareOptions): boolean =>
  [exact, only, ignore, times].some((option) => option !== undefined);

/** Compares what two runs did, too. Sessions are equal if they did the same, unless an option asks for events. */
export async function differenceOf(
  comparison: RunComparison,
  a: RunSource,
  b: RunSource,
  options: CompareOptions = {},
): Promise<RunDifferenceHead> {
  const behaviour = await compareBehaviour(a, b);
  const equal = asksForEvents(options) || !a.dialect.storesMuch ? comparison.equal : behaviour.same;
  return { ...(await comparison.head()), equal, behaviour };
}
