import * as z from 'zod';

const runsDir = z.string('must be a non-empty string').min(1, 'must be a non-empty string').optional();

/** The table `[noesis]` of the runtime, which ignores unknown keys (noesis.md §1.1). */
export const runtimeTable = z.looseObject({ runs_dir: runsDir }, 'must be a table');

const UNCHECKED =
  'agents tasks timeout_sec intuition_mode governance_mode governance_failure_policy direction_min_confidence ' +
  'planner_mode policy_aliases learn_mode learn_home learn_auto_apply_min_successes ' +
  'learn_auto_apply_min_confidence prompt_provenance_enabled prompt_provenance_mode ports';

/** Keys that the runtime reads at the top level of a file without that table. Only `runs_dir` is checked here. */
export const runtimeKeys = {
  runs_dir: runsDir,
  ...Object.fromEntries(UNCHECKED.split(' ').map((name) => [name, z.unknown().optional()])),
};
