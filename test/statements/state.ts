import type { Statement } from './statement.ts';

/** The state of a Noēsis episode. */
export const STATE_STATEMENTS: readonly Statement[] = [];
