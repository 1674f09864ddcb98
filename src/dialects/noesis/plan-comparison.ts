import { isObject, type JsonValue } from '../../json/value.ts';
import { type Difference, differences } from '../../projection/difference.ts';
import { parseInstant } from '../../time/instant.ts';
import type { PlanFold } from './plan-projection.ts';

/** What a resumed run calls the source of a plan that it has read back from state.json. */
const READ_BACK = 'planner.resume';

/** What a step loses when it is read back from state.json, or never had where its plan came as labels. */
const BESIDE_THE_STEP = /^plan\.steps\[\d+\]\.(rationale|inputs|outputs|depends_on)$/;

/** The path of a step's status, with its index. */
export const STEP_STATUS = /^plan\.steps\[(\d+)\]\.status$/;

/** Whether the plan of a resumed run differs as it must: no plan event follows where it is read back. */
function isOfReadingBack({ path, stored }: Difference): boolean {
  if (path === 'plan.source') return true;
  if (path === 'plan.updated_at')
    return stored === undefined || (typeof stored === 'string' && parseInstant(stored) !== undefined);
  return BESIDE_THE_STEP.test(path) && stored === undefined;
}

/** Labels tell how many steps there are, of which kind, and what for: nothing else of a step, nor when. */
function isBeyondLabels({ path, projected }: Difference, { evidence }: PlanFold): boolean {
  if (path === 'plan.updated_at') return true;
  if (STEP_STATUS.test(path)) return !evidence.has(path);
  return /^plan\.steps\[\d+\]\../.test(path) && projected === undefined;
}

/** The differences between the plan that the log gives and `plan` of state.json. */
export function comparePlan(fold: PlanFold, stored: JsonValue | undefined): Difference[] {
  const plan = fold.result();
  const steps = isObject(stored) ? stored['steps'] : undefined;
  const isReadBack = fold.resumed && isObject(stored) && stored['source'] === READ_BACK;
  if (plan === null && (stored === undefined || (Array.isArray(steps) && steps.length === 0))) return [];
  return differences(plan, stored, ['plan'], fold.evidence).filter((difference) => {
    // An event without any time tells nothing of when the plan was made.
    if (plan !== null && difference.path === 'plan.updated_at' && plan.updated_at === undefined) return false;
    if (isReadBack && isOfReadingBack(difference)) return false;
    return !(fold.fromLabels && isBeyondLabels(difference, fold));
  });
}
