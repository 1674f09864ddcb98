import { formatDuration } from '../../../../base/time/duration.ts';
import { ReportingCheck } from '../../../../findings/check.ts';
import type { Row } from '../../../../log/row.ts';
import { CHAIN, COLUMN } from '../rows.ts';

/** Writers may stamp or append a record a moment before its parent, and a clock may be set. */
const MOST_MS = 60_000;

/** A record with its time. */
interface Timed {
  readonly line: number;
  readonly instant: number;
}

/**
 * Compares the time of a record with that of its parent (claude-code.md §9). Lines need not be in the order of their times,
 * because several writers append, but what follows from a record was neither written before it nor appended long before it.
 */
export class ParentTimeCheck extends ReportingCheck {
  readonly types = CHAIN;
  /** By the ordinals of the ids of records. */
  readonly #times = new Map<number, Timed>();
  /** The first records whose parents have not come, by the ordinals of these. */
  readonly #early = new Map<number, Timed>();

  row(row: Row): void {
    const { line } = row;
    const id = row.ordinal(COLUMN.uuid);
    const instant = row.time(COLUMN.timestamp);
    if (id < 0 || Number.isNaN(instant) || this.#times.has(id)) return;
    const timed = { line, instant };
    this.#times.set(id, timed);
    const parent = row.isText(COLUMN.parent, '') ? -1 : row.ordinal(COLUMN.parent);
    const before = this.#times.get(parent);
    if (before === undefined && parent >= 0 && !this.#early.has(parent)) this.#early.set(parent, timed);
    if (before === undefined || before.instant - instant <= MOST_MS) {
      this.#moved(this.#early.get(id), timed);
      return;
    }
    this.report.at(row, {
      code: 'event/time-order',
      severity: 'info',
      message: `the record is stamped earlier than its parent on line ${before.line}`,
      path: ['timestamp'],
    });
  }

  /** Reports a record that is before its parent, although it was written long after it. */
  #moved(child: Timed | undefined, parent: Timed): void {
    if (child === undefined || child.instant - parent.instant <= MOST_MS) return;
    const later = formatDuration(child.instant - parent.instant);
    this.report.onLine(child.line, undefined, {
      code: 'event/time-order',
      severity: 'warn',
      message: `the record was written ${later} after its parent, which follows on line ${parent.line}: lines were moved`,
    });
  }
}
