import type { Statement } from './statement.ts';

/** The log of a workflow store (exarchos). */
export const WORKFLOW_STATEMENTS: readonly Statement[] = [];
