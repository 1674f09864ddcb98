import { type JsonPath, valueAt } from '../../../base/json/path.ts';
import type { FindingCode } from '../../../findings/codes.ts';
import type { Document } from '../../../findings/document.ts';
import type { Difference } from '../../../findings/projection/difference.ts';
import { reportDifference, shown } from '../../kit/state-check.ts';
import { MAY_BE_LEFT_OUT, NO_EVIDENCE } from '../part-answer.ts';
import { type ComparedPart, compareParts } from './comparison.ts';
import type { NoesisProjector } from './projection.ts';
import { type DerivablePart, isOfOlderRuntime, type NoesisEvidence } from './state-fold.ts';

const CODES = {
  plan: 'projection/plan',
  outcomes: 'projection/outcomes',
  links: 'projection/links',
  actions: 'projection/actions',
  started_at: 'projection/started-at',
} as const satisfies Record<Exclude<ComparedPart, 'id'>, FindingCode>;

/** What the log says about a value in the state. */
function inLog({ projected, evidence, named_by: act }: Difference): string {
  const gives =
    evidence === undefined
      ? 'no event of the log contains it'
      : `the event on line ${evidence.line} gives ${shown(projected)}`;
  return act ? `${gives}; the act on line ${act.line} has its step_id and no step_status` : gives;
}

/** Where each part is in the state. */
const PLACES: Readonly<Record<DerivablePart, JsonPath>> = {
  plan: ['plan'],
  'plan.updated_at': ['plan', 'updated_at'],
  outcomes: ['outcomes'],
  links: ['links'],
  actions: ['outcomes', 'actions', 0],
  started_at: ['episode', 'started_at'],
};

const isInState = (part: DerivablePart, state: unknown): boolean =>
  valueAt(state, PLACES[part]) !== undefined;

/** One name for the same member of all steps: `plan.steps[].status`. */
const nameOfAll = (path: string): string => path.replace(/\[\d+\]/, '[]');

/** Says which parts the log has no evidence for, and why. */
function lacking(evidence: NoesisEvidence, parts: string, tooOld: number | undefined): string {
  if (tooOld !== undefined)
    return `the log has no evidence for ${parts}: the run.state_projection on line ${tooOld} is older than the state`;
  if (isOfOlderRuntime(evidence)) return `an older runtime wrote this log: it has no evidence for ${parts}`;
  return evidence.ended
    ? `the log has no evidence for ${parts}, because the runtime did not record it`
    : `the run has not ended: its log has no evidence yet for ${parts}`;
}

/**
 * Compares state.json with the log (noesis.md §5). `finished`: whether the run has certainly written its last state.
 * Returns the paths that differ.
 */
export function checkProjection(
  projector: NoesisProjector,
  state: Document,
  finished: boolean,
): ReadonlySet<string> {
  const differing = new Set<string>();
  const evidence = projector.evidence();
  const { parts, underivable, unsaid, tooOld } = compareParts(evidence, state.comparable, finished);
  const isPersisted = !underivable.includes('outcomes');
  for (const { part, differences } of parts) {
    // The consistency checks decide which document has the wrong id, or the wrong start if there is no projection.
    if (part === 'id' || (part === 'started_at' && evidence.persisted === undefined)) continue;
    for (const difference of differences) {
      differing.add(difference.path);
      // Without a state projection, the end of the run determines the status.
      const code = part === 'outcomes' && !isPersisted ? 'consistency/status' : CODES[part];
      reportDifference(state, code, difference, inLog(difference), 'episode');
    }
  }
  const notCompared = parts.flatMap((part) => part.notCompared);
  const alone = notCompared
    .filter(({ reason }) => NO_EVIDENCE.has(reason))
    .map(({ path }) => nameOfAll(path));
  const unsupported = new Set([
    ...underivable.filter((part) => isInState(part, state.value)),
    ...alone,
    ...unsaid,
  ]);
  if (unsupported.size > 0)
    state.at({
      code: 'projection/not-derivable',
      message: lacking(evidence, [...unsupported].join(', '), tooOld),
    });
  const leftOut = notCompared.filter(({ reason }) => reason === MAY_BE_LEFT_OUT);
  const [first] = leftOut;
  if (first !== undefined) {
    const more = leftOut.length === 1 ? 'the act' : `${leftOut.length} acts, the first one`;
    state.at({
      code: 'projection/not-derivable',
      message: `outcomes.actions leaves out ${more} on line ${first.line}: ${MAY_BE_LEFT_OUT}`,
    });
  }
  return differing;
}
