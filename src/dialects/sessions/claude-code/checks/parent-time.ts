import { ReportingCheck } from '../../../../findings/check.ts';
import type { Row } from '../../../../log/row.ts';
import { CHAIN, COLUMN } from '../rows.ts';

/** Writers may stamp a record a moment before its parent, and a clock may be set. */
const MOST_MS = 60_000;

/**
 * Compares the time of a record with that of its parent (claude-code.md §9). Lines need not be in the order of their times,
 * because several writers append, but what follows from a record was not written before it.
 */
export class ParentTimeCheck extends ReportingCheck {
  readonly types = CHAIN;
  /** By the ordinals of the ids of records. */
  readonly #times = new Map<number, { readonly line: number; readonly instant: number }>();

  row(row: Row): void {
    const { line } = row;
    const id = row.ordinal(COLUMN.uuid);
    const instant = row.time(COLUMN.timestamp);
    if (id < 0 || Number.isNaN(instant) || this.#times.has(id)) return;
    this.#times.set(id, { line, instant });
    const parent = row.isText(COLUMN.parent, '') ? undefined : this.#times.get(row.ordinal(COLUMN.parent));
    if (parent === undefined || parent.instant - instant <= MOST_MS) return;
    this.report.at(row, {
      code: 'event/time-order',
      severity: 'info',
      message: `the record is stamped earlier than its parent on line ${parent.line}`,
      path: ['timestamp'],
    });
  }
}
