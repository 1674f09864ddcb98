import { merged, Rules } from '../kit/rules.ts';
import type { PlanEvent } from './plan-event.ts';
import { SESSION_RULES } from './rules/sessions.ts';
import { WORK_RULES } from './rules/work.ts';
import type { CoordinatorRun } from './run.ts';

/** The rules of a plan (coordinator.md §8). `verify` reports what they find, and `append` refuses by them. */
export const RULES = new Rules<PlanEvent, CoordinatorRun>({
  every: SESSION_RULES.every,
  of: merged(SESSION_RULES.of, WORK_RULES),
});
