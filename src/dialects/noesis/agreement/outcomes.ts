import { valueAt } from '../../../base/json/path.ts';
import { isObject } from '../../../base/json/value.ts';
import { named, textOf } from '../../../base/json/write.ts';
import { parseInstant } from '../../../base/time/instant.ts';
import { ADAPTER_RESULTS, canonicalStatus, isOneOf } from '../event/vocabulary.ts';
import { type EpisodeView, isLastState } from './view.ts';

/** In milliseconds: a clock may be set back slightly between two writes. */
const CLOCK_SLACK_MS = 1000;

/** What final.json says for each outcome of a summary (noesis.md §8.4). A vetoed run is not in this table. */
const FINAL_OF: Readonly<Record<string, readonly [outcome: string, verification: string]>> = {
  success: ['success', 'verified'],
  success_unverified: ['success', 'unverified'],
  goal_not_achieved: ['failed', 'verified'],
  error: ['error', 'not_applicable'],
};

/**
 * Whether the episode has the contradiction that the runtime itself writes if a tool raises (noesis.md §14): the run
 * ends with an error, but its summary says that nobody verified it.
 */
function isFailedTool({ course, summary, final }: EpisodeView): boolean {
  return (
    course.end?.status === 'error' &&
    valueAt(summary?.value, ['outcome']) === 'success_unverified' &&
    valueAt(final?.value, ['outcome']) === 'success' &&
    valueAt(final?.value, ['verification_status']) === 'unverified'
  );
}

/** What final.json must say for a summary's outcome; undefined for an unknown word. */
export const finalOf = (outcome: unknown) =>
  typeof outcome === 'string' && Object.hasOwn(FINAL_OF, outcome) ? FINAL_OF[outcome] : undefined;

/**
 * What final.json must say. If the summary contradicts itself, final.json may agree with either side, because the
 * contradiction was reported.
 */
function wantedOf(view: EpisodeView): readonly [outcome: string, verification: string] | undefined {
  const { course, summary, final } = view;
  if (course.end?.status === 'vetoed') return ['vetoed', 'not_applicable'];
  const stated = finalOf(valueAt(summary?.value, ['outcome']));
  const isAsStated =
    stated?.[0] === valueAt(final?.value, ['outcome']) &&
    stated?.[1] === valueAt(final?.value, ['verification_status']);
  return isAsStated ? stated : (finalOf(derivedOutcome(view)) ?? stated);
}

/** Whether a status means that the run did not reach its goal. */
const isFailure = (status: unknown): boolean =>
  typeof status === 'string' && ['error', 'vetoed', 'aborted'].includes(canonicalStatus(status));

function checkFinalOutcome(view: EpisodeView): void {
  const { course, summary, final } = view;
  if (final === undefined) return;
  const ended = course.end?.status;
  const stated = valueAt(final.value, ['outcome']);
  const wanted = wantedOf(view);
  if (isFailure(ended) && stated === 'success' && (wanted ?? ['success'])[0] === 'success') {
    const message = `the run ended with ${named(ended)} on line ${course.end?.line}, but final.json says success`;
    const known = isFailedTool(view);
    final.at({
      code: 'consistency/status',
      message: known ? `${message}: the runtime writes it like this if a tool failed` : message,
      path: ['outcome'],
      expected: textOf(ended),
      actual: stated,
      ...(known && { severity: 'info' }),
    });
    return;
  }
  if (wanted === undefined) return;
  // Runtimes record a stopped run as an error or as cancelled.
  const stopped =
    (ended === undefined || ended === 'aborted' || ended === 'cancelled') &&
    (stated === 'cancelled' || stated === 'interrupted');
  const outcome = valueAt(summary?.value, ['outcome']);
  const reason = ended === 'vetoed' ? 'the run was vetoed' : `summary.json says ${named(outcome)}`;
  const [wantedOutcome, wantedVerification] = wanted;
  for (const [key, expected] of [
    ['outcome', wantedOutcome],
    ['verification_status', wantedVerification],
  ] as const) {
    const actual = valueAt(final.value, [key]);
    if (typeof actual !== 'string' || actual === expected || stopped) continue;
    const message = `${reason}, so ${key} in final.json should be ${expected}; it is ${named(actual)}`;
    final.at({ code: 'consistency/status', message, path: [key], expected, actual });
  }
}

/** Adapter results that contradict the end of a run. A vetoed run has skipped its adapter. */
const RESULTS_RULED_OUT: Readonly<Record<string, readonly string[]>> = {
  ok: ['error'],
  vetoed: ['success', 'error'],
};

/** Reports an adapter result that contradicts the end of the run. Returns whether it did. */
function checkAdapterResult({ course, summary }: EpisodeView): boolean {
  const ended = course.end?.status;
  const result = valueAt(summary?.value, ['adapter_result']);
  if (summary === undefined || typeof ended !== 'string' || typeof result !== 'string') return false;
  const status = canonicalStatus(ended);
  const ruledOut = Object.hasOwn(RESULTS_RULED_OUT, status) ? RESULTS_RULED_OUT[status] : undefined;
  if (ruledOut?.includes(result) !== true) return false;
  const message = `adapter_result is ${result}, but the run ended with ${named(ended)} on line ${course.end?.line}`;
  summary.at({
    code: 'consistency/status',
    message,
    path: ['adapter_result'],
    actual: result,
  });
  return true;
}

/** The outcome that follows from adapter_result and verification of a summary; undefined if they are unknown. */
function derivedOutcome({ summary }: EpisodeView): string | undefined {
  const value = summary?.value;
  if (!isObject(value) || !isObject(value['verification'])) return undefined;
  const { adapter_result: result } = value;
  const { provided, passed } = value['verification'];
  if (!isOneOf(ADAPTER_RESULTS, result) || typeof provided !== 'boolean') return undefined;
  if (result !== 'success') return 'error';
  if (!provided) return 'success_unverified';
  return passed === true ? 'success' : 'goal_not_achieved';
}

function checkSummaryOutcome(view: EpisodeView): void {
  const { summary } = view;
  const expected = derivedOutcome(view);
  const outcome = valueAt(summary?.value, ['outcome']);
  if (expected === undefined || typeof outcome !== 'string' || outcome === expected) return;
  const message = `outcome is ${named(outcome)}, but adapter_result and verification mean ${expected}`;
  summary?.at({ code: 'consistency/status', message, path: ['outcome'], expected, actual: outcome });
}

const withoutStop = (text: string): string => text.replace(/\.$/, '');

/** Compares the state's summary with the message of terminate, unless a state projection was compared. */
function checkLastWords(view: EpisodeView): void {
  const { course, state, differing } = view;
  const said = course.end?.message;
  const path = ['outcomes', 'summary'];
  const kept = valueAt(state?.value, path);
  if (typeof said !== 'string' || typeof kept !== 'string' || differing.has('outcomes.summary')) return;
  if (withoutStop(said) === withoutStop(kept) || !isLastState(view)) return;
  const message = `outcomes.summary is not the message of the terminate event on line ${course.end?.line}`;
  state?.at({ code: 'consistency/status', severity: 'warn', message, path, expected: said, actual: kept });
}

/** final.json must be written after the last event. */
function checkFinalizedAt({ said: { lastAt }, final }: EpisodeView): void {
  const stated = valueAt(final?.value, ['finalized_at']);
  if (typeof stated !== 'string' || lastAt === undefined) return;
  const [finalized, last] = [parseInstant(stated), parseInstant(lastAt)];
  if (finalized === undefined || last === undefined || finalized >= last - CLOCK_SLACK_MS) return;
  const message = `finalized_at is ${stated}, but the last event happened at ${lastAt}`;
  const values = { expected: `no earlier than ${lastAt}`, actual: stated };
  final?.at({ code: 'consistency/finalized-at', message, path: ['finalized_at'], ...values });
}

/** Compares the results in the log's end, the summary and final.json (noesis.md §8.4). */
export function checkOutcomes(view: EpisodeView): void {
  checkLastWords(view);
  checkFinalizedAt(view);
  // An impossible adapter result explains an outcome that does not follow from it, so only one of them is reported.
  if (checkAdapterResult(view)) return;
  checkSummaryOutcome(view);
  checkFinalOutcome(view);
}
