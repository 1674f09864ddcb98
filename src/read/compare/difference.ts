import { compareBehaviour } from './behaviour.ts';
import { asksForEvents, type CompareOptions, isOneFormat, type RunComparison } from './compare-runs.ts';
import type { RunSource } from './read-run.ts';
import type { RunDifferenceHead } from './run-difference.ts';

/**
 * Adds a comparison of what the runs did. It alone decides whether sessions, or runs in different formats, are
 * equal, unless an option asks for events.
 */
export async function differenceOf(
  comparison: RunComparison,
  a: RunSource,
  b: RunSource,
  options: CompareOptions = {},
): Promise<RunDifferenceHead> {
  const behaviour = await compareBehaviour(a, b);
  const byEvents = isOneFormat(a, b) && (asksForEvents(options) || !a.dialect.storesMuch);
  const equal = byEvents ? comparison.equal : behaviour.same;
  return { ...(await comparison.head()), equal, behaviour };
}
