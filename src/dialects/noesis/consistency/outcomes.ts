import { valueAt } from '../../../json/path.ts';
import { isObject } from '../../../json/value.ts';
import { canonicalStatus, isFailure } from '../vocabulary.ts';
import type { EpisodeView } from './view.ts';

/** What final.json must say for a summary's outcome (noesis.md §8.4); a vetoed run says so itself. */
const FINAL_OF: Readonly<Record<string, readonly [outcome: string, verification: string]>> = {
  success: ['success', 'verified'],
  success_unverified: ['success', 'unverified'],
  goal_not_achieved: ['failed', 'verified'],
  error: ['error', 'not_applicable'],
};

/**
 * What the runtime writes of every run whose tool raised (noesis.md §14): it ends with an error, and is summed up as
 * one that nobody verified. The one contradiction that nobody made up.
 */
function isFailedTool({ facts, summary, final }: EpisodeView): boolean {
  return (
    facts.terminate?.value === 'error' &&
    valueAt(summary?.value, ['outcome']) === 'success_unverified' &&
    valueAt(final?.value, ['outcome']) === 'success' &&
    valueAt(final?.value, ['verification_status']) === 'unverified'
  );
}

function checkFinalOutcome(view: EpisodeView): void {
  const { facts, summary, final } = view;
  if (final === undefined) return;
  const ended = facts.terminate?.value;
  const stated = valueAt(final.value, ['outcome']);
  // Where the outcome does not follow from what stands beside it, that has been said of the summary.
  const outcome = derivedOutcome(view) ?? valueAt(summary?.value, ['outcome']);
  const mapped =
    typeof outcome === 'string' && Object.hasOwn(FINAL_OF, outcome) ? FINAL_OF[outcome] : undefined;
  const vetoed = ended === 'vetoed';
  const wanted = vetoed ? (['vetoed', 'not_applicable'] as const) : mapped;
  if (isFailure(ended) && stated === 'success' && (wanted ?? ['success'])[0] === 'success') {
    const message = `the run ended with ${String(ended)} on line ${facts.terminate?.line}, and final.json says success`;
    const values = { expected: String(ended), actual: stated };
    const known = isFailedTool(view);
    final.at({
      code: 'consistency/status',
      message: known ? `${message}: so the runtime writes it where a tool failed` : message,
      path: ['outcome'],
      ...values,
      ...(known && { severity: 'info' }),
    });
    return;
  }
  if (wanted === undefined) return;
  // A run that was stopped is written down as an error by some runtimes and as cancelled by others.
  const stopped =
    (ended === 'aborted' || ended === 'cancelled') && ['cancelled', 'interrupted'].includes(String(stated));
  const reason = vetoed ? 'a vetoed run' : `summary.json says ${String(outcome)}, for which final.json`;
  for (const [index, key] of (['outcome', 'verification_status'] as const).entries()) {
    const actual = valueAt(final.value, [key]);
    const expected = wanted[index] ?? '';
    if (typeof actual !== 'string' || actual === expected || stopped) continue;
    const message = `${reason} has ${key} ${expected}, not ${actual}`;
    final.at({ code: 'consistency/status', message, path: [key], expected, actual });
  }
}

/** What an adapter cannot have done in a run that ended so. */
const RESULTS_RULED_OUT: Readonly<Record<string, string>> = { ok: 'error', vetoed: 'success' };

/** Whether the adapter's result cannot be that of a run which ended so; reports it. */
function checkAdapterResult({ facts, summary }: EpisodeView): boolean {
  const ended = facts.terminate?.value;
  const result = valueAt(summary?.value, ['adapter_result']);
  if (summary === undefined || typeof ended !== 'string' || typeof result !== 'string') return false;
  if (RESULTS_RULED_OUT[canonicalStatus(ended)] !== result) return false;
  const message = `adapter_result is ${result}, and the run ended with ${ended} on line ${facts.terminate?.line}`;
  summary.at({
    code: 'consistency/status',
    message,
    path: ['adapter_result'],
    actual: result,
  });
  return true;
}

/** What a summary's outcome must be by its adapter_result and its verification; undefined where it does not say. */
function derivedOutcome({ summary }: EpisodeView): string | undefined {
  const value = summary?.value;
  if (!isObject(value) || !isObject(value['verification'])) return undefined;
  const { adapter_result: result } = value;
  const { provided, passed } = value['verification'];
  if (typeof result !== 'string' || typeof provided !== 'boolean') return undefined;
  if (result !== 'success') return 'error';
  if (!provided) return 'success_unverified';
  return passed === true ? 'success' : 'goal_not_achieved';
}

function checkSummaryOutcome(view: EpisodeView): void {
  const { summary } = view;
  const expected = derivedOutcome(view);
  const outcome = valueAt(summary?.value, ['outcome']);
  if (expected === undefined || typeof outcome !== 'string' || outcome === expected) return;
  const message = `outcome is ${outcome}; adapter_result and verification give ${expected}`;
  summary?.at({ code: 'consistency/status', message, path: ['outcome'], expected, actual: outcome });
}

/** What the end of the run, the summary and final.json say of how it went (noesis.md §8.4). */
export function checkOutcomes(view: EpisodeView): void {
  // One defect is said once: an adapter's result that cannot be explains an outcome that does not follow from it.
  if (checkAdapterResult(view)) return;
  checkSummaryOutcome(view);
  checkFinalOutcome(view);
}
