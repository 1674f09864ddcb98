import { type LoggedEvent, ReportingCheck } from '../../../../findings/check.ts';
import type { Row } from '../../../../log/row.ts';
import { reportEnvelope, reportUnknownType, TimeOrder } from '../../kit/envelope.ts';
import { isBareHead } from '../records.ts';
import { COLUMN } from '../rows.ts';
import { bareSchema, lineSchema } from '../schema.ts';
import { IS_LINE_TYPE } from '../vocabulary.ts';

/**
 * Checks the envelope and time of each line (codex.md §9). Vendors may change their formats, so unknown types are only
 * info.
 */
export class EnvelopeCheck extends ReportingCheck {
  #isBare: boolean | undefined;
  readonly #times = new TimeOrder();

  row(row: Row): void {
    if (this.#isBare === undefined) this.#first(row);
    this.#times.add(this.report, row, row.time(COLUMN.timestamp), 'info');
  }

  refused(logged: LoggedEvent): void {
    if (this.#isBare === undefined) this.#first(logged);
    reportEnvelope(this.report, logged, this.#isBare ? bareSchema : lineSchema, ([key]) =>
      key === 'timestamp' ? 'warn' : 'error',
    );
    const { type } = logged.event;
    if (!this.#isBare && typeof type === 'string' && !IS_LINE_TYPE.has(type))
      reportUnknownType(this.report, logged, type);
  }

  #first(logged: LoggedEvent): void {
    const { event } = logged;
    this.#isBare = isBareHead(event);
    if (this.#isBare || event['type'] === 'session_meta') return;
    const message = 'the log does not begin with session_meta: its head is missing';
    this.report.at(logged, { code: 'order/meta-not-first', message });
  }
}
