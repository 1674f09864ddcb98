import type { JsonPath } from '../../../base/json/path.ts';
import { isObject, type JsonValue } from '../../../base/json/value.ts';
import { DAY_MS, parseInstant } from '../../../base/time/instant.ts';
import { type Difference, differences } from '../../../findings/projection/difference.ts';
import type { NotCompared } from '../../../findings/projection/projector.ts';
import { type PartAnswer, SET_IN_STATE, withoutEmpty } from '../part-answer.ts';
import type { PlanFold, PlanState } from './plan-fold.ts';

/** The source of a plan that a resumed run read from state.json. */
const READ_BACK = 'planner.resume';

/** Members of steps that are lost when a plan is read from state.json. */
const OPTIONAL_OF_STEP = /^plan\.steps\[\d+\]\.(rationale|inputs|outputs|depends_on)$/;

/** The path of a step's id. */
const ID_OF_STEP = /^plan\.steps\[\d+\]\.id$/;

/** The path of a member of a step. */
const MEMBER_OF_STEP = /^plan\.steps\[\d+\]./;

/** The path of a step's status, with its index. */
export const STEP_STATUS = /^plan\.steps\[(\d+)\]\.status$/;

/** The parts of a plan that older runtimes wrote only to the state. */
const PARTS_SET_IN_STATE = /^plan\.(updated_at|steps\[\d+\]\.status)$/;

/**
 * Whether a stored time may be that of a resume: not more than a day before the plan was made, because clocks of two
 * machines do not differ by more.
 */
function isLater(stored: unknown, made: unknown): boolean {
  if (stored === undefined) return true;
  const [read, before] = [stored, made].map((time) =>
    typeof time === 'string' ? parseInstant(time) : undefined,
  );
  return read !== undefined && (before === undefined || read > before - DAY_MS);
}

/** Whether a difference arose because a resume read the plan from state.json, without a plan event. */
function isOfReadingBack({ path, projected, stored }: Difference): boolean {
  if (path === 'plan.source') return stored === READ_BACK;
  if (path === 'plan.updated_at') return isLater(stored, projected);
  return OPTIONAL_OF_STEP.test(path) && stored === undefined;
}

/** Why a difference is acceptable; undefined if it is not. */
function excuse(
  difference: Difference,
  fold: PlanFold,
  isReadBack: boolean,
  isOlder: boolean,
): NotCompared | undefined {
  const { path, projected, evidence } = difference;
  const because = (reason: string, line: number | undefined): NotCompared => ({
    path,
    reason,
    ...(line !== undefined && { line }),
  });
  const plan = fold.result();
  if (plan !== null && path === 'plan.updated_at' && plan.updated_at === undefined)
    return because('the plan event has no time', evidence?.line);
  if (isReadBack && isOfReadingBack(difference))
    return because('the run was resumed, and its plan read back from state.json', fold.resumedAt);
  if (isOlder && PARTS_SET_IN_STATE.test(path)) return because(SET_IN_STATE, evidence?.line);
  if (fold.fromLabels && MEMBER_OF_STEP.test(path) && (projected === undefined || ID_OF_STEP.test(path)))
    return because('a label gives only the kind and the description of a step', evidence?.line);
  return undefined;
}

/** Adds an act that names the step but no status, if the status differs. */
function withNamingAct(difference: Difference, fold: PlanFold): Difference {
  const index = STEP_STATUS.exec(difference.path)?.[1];
  const act = index === undefined ? undefined : fold.namedWithoutStatus(Number(index));
  return act ? { ...difference, named_by: act } : difference;
}

/** Compares a stored plan with a log without plan events, which allows only a plan without steps. */
function compareWithNone(stored: JsonValue | undefined, fold: PlanFold): PartAnswer {
  const steps = isObject(stored) ? stored['steps'] : undefined;
  const isEmpty = stored === undefined || (Array.isArray(steps) && steps.length === 0);
  const compared: JsonPath[] = isEmpty ? [['plan', 'steps']] : [['plan']];
  const found = isEmpty ? [] : differences(null, stored, ['plan'], fold.evidence);
  return { compared, differences: found, notCompared: [] };
}

/** The members of a step that may be empty instead of absent. */
const MAY_BE_EMPTY = ['inputs', 'outputs', 'rationale', 'depends_on'];

/** A stored plan without the empty members that the plan of the log leaves out. */
function withoutEmptyParts(stored: JsonValue | undefined, plan: PlanState): JsonValue | undefined {
  if (!isObject(stored)) return stored;
  const { steps } = stored;
  return {
    ...withoutEmpty(stored, plan, ['rationale']),
    ...(Array.isArray(steps) && {
      steps: steps.map((step, index) =>
        isObject(step) ? withoutEmpty(step, plan.steps[index] ?? {}, MAY_BE_EMPTY) : step,
      ),
    }),
  };
}

/** Compares the plan of the log with `plan` in state.json. `isOlder`: an older runtime wrote the log. */
export function comparePlan(fold: PlanFold, stored: JsonValue | undefined, isOlder = false): PartAnswer {
  const steps = isObject(stored) && Array.isArray(stored['steps']) ? stored['steps'] : [];
  const plan = fold.resultFor(steps.map((step) => (isObject(step) ? step['id'] : undefined)));
  if (plan === null) return compareWithNone(stored, fold);
  const isReadBack = fold.resumedAt !== undefined && isObject(stored) && stored['source'] !== plan.source;
  const found: Difference[] = [];
  const notCompared: NotCompared[] = [];
  for (const difference of differences(plan, withoutEmptyParts(stored, plan), ['plan'], fold.evidence)) {
    const excused = excuse(difference, fold, isReadBack, isOlder);
    if (excused) notCompared.push(excused);
    else found.push(withNamingAct(difference, fold));
  }
  return { compared: [['plan']], differences: found, notCompared };
}
