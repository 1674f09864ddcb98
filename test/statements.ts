import { COORDINATOR_STATEMENTS } from './statements/coordinator.ts';
import { EVENT_STATEMENTS } from './statements/events.ts';
import { LEDGER_STATEMENTS } from './statements/ledger.ts';
import { STATE_STATEMENTS } from './statements/state.ts';
import type { Statement } from './statements/statement.ts';
import { WORKFLOW_STATEMENTS } from './statements/workflow.ts';

/** Everything that the documents say and a test must show, family by family. */
export const STATEMENTS: readonly Statement[] = [
  ...EVENT_STATEMENTS,
  ...STATE_STATEMENTS,
  ...WORKFLOW_STATEMENTS,
  ...LEDGER_STATEMENTS,
  ...COORDINATOR_STATEMENTS,
];
