import { named } from '../../../base/json/write.ts';
import { type EventReporter, type LoggedEvent, ReportingCheck } from '../../../findings/check.ts';
import { IdIndex } from '../../../log/id-index.ts';

/** At most this many other streams are named. */
const MAX_NAMED = 20;

/**
 * Checks that events belong to the stream in the file name (exarchos.md §19). The store does not check this, so a
 * renamed or copied log continues under two names. Reports each other stream once.
 */
export class StreamCheck extends ReportingCheck {
  readonly #stream: string | undefined;
  readonly #others = new IdIndex();

  /** `stream`: the one in the file name, if there is one. */
  constructor(report: EventReporter, stream: string | undefined) {
    super(report);
    this.#stream = stream;
  }

  row(logged: LoggedEvent): void {
    const { streamId } = logged.event;
    if (this.#stream === undefined || typeof streamId !== 'string' || streamId === this.#stream) return;
    if (this.#others.add(streamId, logged.line) >= 0 || this.#others.size > MAX_NAMED) return;
    const message = `the event is of stream ${JSON.stringify(streamId.slice(0, 100))}; the file name says ${named(this.#stream)}`;
    const at = { path: ['streamId'], expected: this.#stream, actual: streamId.slice(0, 100) };
    this.report.at(logged, { code: 'consistency/stream-id', message, ...at });
  }

  end(): void {
    const more = this.#others.size - MAX_NAMED;
    if (more <= 0) return;
    const message = `this file also has events of ${more} more streams`;
    this.report.report({ code: 'consistency/stream-id', message, file: this.report.file });
  }
}
