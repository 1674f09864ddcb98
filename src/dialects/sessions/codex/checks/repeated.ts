import { type EventReporter, type LogEnd, ReportingCheck } from '../../../../findings/check.ts';
import type { Row } from '../../../../log/row.ts';
import { RepeatedRecords } from '../../../kit/repeated-ids.ts';
import { itemOf } from '../records.ts';
import { COLUMN, eventIn } from '../rows.ts';
import { ThreadHistory } from '../thread-history.ts';

/**
 * Finds records that are in the log again (codex.md §9). Records with an ordinal have {@link OrdinalCheck}. Copies of another
 * thread's records may all have one time, so equal ones among them are several.
 */
export class RepeatedRecordCheck extends ReportingCheck {
  readonly #history = new ThreadHistory();
  readonly #repeated: RepeatedRecords;

  constructor(report: EventReporter) {
    super(report);
    this.#repeated = new RepeatedRecords(report);
  }

  row(row: Row): void {
    const time = row.text(COLUMN.timestamp);
    const isHead = row.text(COLUMN.type) === 'session_meta';
    this.#history.add(itemOf(isHead ? row.event : eventIn(row)), time);
    if (time === undefined || this.#history.timesOfCopy !== undefined) return;
    if (Number.isNaN(row.number(COLUMN.ordinal))) this.#repeated.add(row);
  }

  end(log: LogEnd): void {
    this.#repeated.end(log);
  }
}
