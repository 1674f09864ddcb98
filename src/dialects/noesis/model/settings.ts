import * as z from 'zod';

const runsDir = z.string('must be a non-empty string').min(1, 'must be a non-empty string').optional();

/** The table `[noesis]` of the runtime, which ignores unknown keys (noesis.md §1.1). */
export const runtimeTable = z.looseObject({ runs_dir: runsDir }, 'must be a table');

/**
 * Keys that the runtime reads at the top level of a file without that table. Only `runs_dir` is checked here.
 */
export const runtimeKeys = {
  runs_dir: runsDir,
  agents: z.unknown().optional(),
  tasks: z.unknown().optional(),
  timeout_sec: z.unknown().optional(),
  intuition_mode: z.unknown().optional(),
  governance_mode: z.unknown().optional(),
  governance_failure_policy: z.unknown().optional(),
  direction_min_confidence: z.unknown().optional(),
  planner_mode: z.unknown().optional(),
  policy_aliases: z.unknown().optional(),
  learn_mode: z.unknown().optional(),
  learn_home: z.unknown().optional(),
  learn_auto_apply_min_successes: z.unknown().optional(),
  learn_auto_apply_min_confidence: z.unknown().optional(),
  prompt_provenance_enabled: z.unknown().optional(),
  prompt_provenance_mode: z.unknown().optional(),
  ports: z.unknown().optional(),
} as const;
