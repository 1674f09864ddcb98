import type { Statement } from './statement.ts';

/** The log of a Noēsis episode. */
export const EVENT_STATEMENTS: readonly Statement[] = [];
