import { basename } from 'node:path';
import type { FindPrices } from '../../dialects/kit/prices.ts';
import { nameOfLog } from '../../dialects/registry.ts';
import { compareBehaviour } from './behaviour.ts';
import { asksForEvents, type CompareOptions, isOneFormat, type RunComparison } from './compare-runs.ts';
import type { RunSource } from './read-run.ts';
import type { RunDifferenceHead } from './run-difference.ts';

interface DifferenceOptions extends CompareOptions {
  readonly findPrices?: FindPrices | undefined;
}

const namesOf = ({ parts = [] }: RunSource): string[] =>
  parts.map((part) => nameOfLog(part) ?? basename(part));

/**
 * Adds a comparison of what the runs did. It alone decides whether sessions, or runs in different formats, are
 * equal, unless an option asks for events.
 */
export async function differenceOf(
  comparison: RunComparison,
  a: RunSource,
  b: RunSource,
  options: DifferenceOptions = {},
): Promise<RunDifferenceHead> {
  const head = await comparison.head();
  const lasted = { a: head.a.durationMs, b: head.b.durationMs };
  const { findPrices } = options;
  const { names, isCopy } = comparison;
  const behaviour = await compareBehaviour({ a, b, lasted, names, findPrices, isCopy });
  const byEvents = isOneFormat(a, b) && (asksForEvents(options) || !a.dialect.storesMuch);
  const equal = byEvents ? comparison.equal : behaviour.same;
  const stored = isOneFormat(a, b) && !byEvents ? await comparison.stored() : undefined;
  const logs = { a: namesOf(a), b: namesOf(b) };
  const isWhole = logs.a.length + logs.b.length === 0;
  return { ...head, equal, ...(stored && { stored }), behaviour, ...(!isWhole && { not_compared: logs }) };
}
