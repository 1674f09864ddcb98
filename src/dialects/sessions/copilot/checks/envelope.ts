import { ticked } from '../../../../base/json/write.ts';
import { type LogEnd, type LoggedEvent, ReportingCheck } from '../../../../findings/check.ts';
import type { Row } from '../../../../log/row.ts';
import { reportEnvelope, reportUnknownType, TimeOrder } from '../../kit/envelope.ts';
import { COLUMN } from '../rows.ts';
import { eventSchema } from '../schema.ts';
import { isEphemeralType, isStoredType } from '../vocabulary.ts';

/** Checks the envelope, type and time of each record (copilot.md §2, §3, §9). */
export class EnvelopeCheck extends ReportingCheck {
  /** Findings about times that do not apply to a fork: its start is later than the copied records. */
  readonly #atStart = this.report.later();
  #isFork = false;
  #isStreamReported = false;
  #count = 0;
  readonly #times = new TimeOrder();

  row(row: Row): void {
    this.#count += 1;
    const type = row.text(COLUMN.type);
    if (type === 'session.info' && row.text(COLUMN.info) === 'fork') this.#isFork = true;
    if (type !== undefined) this.#start(row, type);
    this.#times.add(this.#count === 2 ? this.#atStart : this.report, row, row.time(COLUMN.timestamp));
  }

  refused(logged: LoggedEvent): void {
    reportEnvelope(this.report, logged, eventSchema, ([key]) => (key === 'parentId' ? 'warn' : 'error'));
    this.#type(logged);
  }

  end(_log: LogEnd): void {
    if (!this.#isFork) this.report.confirm(this.#atStart);
  }

  #type(logged: LoggedEvent): void {
    const { type } = logged.event;
    if (typeof type !== 'string') return;
    if (isEphemeralType(type)) {
      if (!this.#isStreamReported)
        this.report.at(logged, {
          code: 'event/ephemeral',
          message: `${ticked(type)} is never stored`,
          path: ['type'],
        });
      this.#isStreamReported = true;
    } else if (!isStoredType(type)) reportUnknownType(this.report, logged, type);
  }

  #start(row: Row, type: string): void {
    const isStart = type === 'session.start';
    if (isStart === (this.#count === 1)) return;
    const message = isStart ? 'a second session begins here' : 'the log does not begin with session.start';
    if (isStart || this.#count === 1)
      this.report.at(row, { code: 'order/start-not-first', severity: 'warn', message, path: ['type'] });
  }
}
