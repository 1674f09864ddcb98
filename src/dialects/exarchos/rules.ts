import { merged, Rules } from '../kit/rules.ts';
import { WORK_RULES } from './rules/work.ts';
import { WORKFLOW_RULES } from './rules/workflow.ts';
import type { WorkflowEvent, WorkflowRun } from './run.ts';

/** The rules of a workflow (exarchos.md §19). `verify` reports what they find, and `append` refuses by them. */
export const RULES = new Rules<WorkflowEvent, WorkflowRun>({
  every: {},
  of: merged(WORKFLOW_RULES, WORK_RULES),
});
