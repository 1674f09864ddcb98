import type { CatalogueEntry } from '../../findings/catalogue-entry.ts';

/** The findings that only trajectories have. */
export const ATIF = [
  {
    code: 'event/agent-only',
    severity: 'error',
    meaning: 'A step of the user or the system has a member that only steps of the agent have.',
    why: 'Readers refuse such a trajectory, and metrics count what no model used.',
    example: 'Step 1 has the source `user`, and `metrics`.',
    fix: 'Correct the program that wrote the trajectory: the source is wrong, or the member is.',
  },
] as const satisfies readonly CatalogueEntry[];

declare module '../../findings/codes.ts' {
  interface FindingCodes extends Record<(typeof ATIF)[number]['code'], unknown> {}
}
