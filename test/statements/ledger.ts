import type { Statement } from './statement.ts';

/** The ledger of runs (fishbowl). */
export const LEDGER_STATEMENTS: readonly Statement[] = [];
