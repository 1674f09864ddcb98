import type { EventCheck, EventReporter } from '../../../findings/check.ts';
import { OneSession } from '../../session-envelope.ts';
import { sessionInName } from '../files.ts';
import { CHAIN, COLUMN } from '../rows.ts';

/** Checks that all records of a log, and its name, belong to one session (claude-code.md §9). */
export function checkSession(report: EventReporter): EventCheck {
  const session = new OneSession(report, sessionInName(report.file));
  return {
    types: CHAIN,
    row: (row) => session.add(row, row.text(COLUMN.session), 'sessionId'),
    end: ({ whole }) => (whole ? session.end() : undefined),
  };
}
