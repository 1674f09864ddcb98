import { type EventReporter, type LoggedEvent, ReportingCheck } from '../../../findings/check.ts';
import { IdIndex } from '../../../log/id-index.ts';

/** More streams in one file are reported as a number. */
const MAX_TOLD = 20;

/**
 * Whether the events are of the stream that the file is named after (exarchos.md §19). The store never looks, so that
 * a renamed or copied log goes on under two names. Said once for each other stream.
 */
export class StreamCheck extends ReportingCheck {
  readonly #stream: string | undefined;
  readonly #others = new IdIndex();

  /** `stream`: the name in the file name, if there is one. */
  constructor(report: EventReporter, stream: string | undefined) {
    super(report);
    this.#stream = stream;
  }

  row(logged: LoggedEvent): void {
    const { streamId } = logged.event;
    if (this.#stream === undefined || typeof streamId !== 'string' || streamId === this.#stream) return;
    if (this.#others.add(streamId, logged.line) >= 0 || this.#others.size > MAX_TOLD) return;
    const message = `the event is of another stream than the file: ${JSON.stringify(streamId.slice(0, 100))} in the log of ${this.#stream}`;
    const at = { path: ['streamId'], expected: this.#stream, actual: streamId.slice(0, 100) };
    this.report.at(logged, { code: 'consistency/stream-id', message, ...at });
  }

  end(): void {
    const more = this.#others.size - MAX_TOLD;
    if (more <= 0) return;
    const message = `this file also has events of ${more} more streams`;
    this.report.report({ code: 'consistency/stream-id', message, file: this.report.file });
  }
}
