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

/** Clocks of two machines differ, but not by so much. */
const DAY_MS = 86_400_000;

/** Whether a plan may have been read back at this time: not long before it was made. */
function isLater(stored: unknown, made: unknown): boolean {
  if (stored === undefined) return true;
  const [read, before] = [stored, made].map((time) =>
    typeof time === 'string' ? parseInstant(time) : undefined,
  );
  return read !== undefined && (before === undefined || read > before - DAY_MS);
}

/** Whether the plan of a resumed run differs as it must: no plan event follows where it is read back. */
function isOfReadingBack({ path, projected, stored }: Difference): boolean {
  if (path === 'plan.source') return stored === READ_BACK;
  if (path === 'plan.updated_at') return isLater(stored, projected);
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
  const isReadBack = fold.resumed && isObject(stored) && stored['source'] !== plan?.source;
  if (plan === null && (stored === undefined || (Array.isArray(steps) && steps.length === 0))) return [];
  return differences(plan, stored, ['plan'], fold.evidence).filter((difference) => {
    // An event without any time tells nothing of when the plan was made.
    if (plan !== null && difference.path === 'plan.updated_at' && plan.updated_at === undefined) return false;
    if (isReadBack && isOfReadingBack(difference)) return false;
    return !(fold.fromLabels && isBeyondLabels(difference, fold));
  });
}
