import type { Statement } from './statement.ts';

/** The log of a coordinator. */
export const COORDINATOR_STATEMENTS: readonly Statement[] = [];
