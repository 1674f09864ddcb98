import type { EventCheck, EventReporter, LogEnd, LoggedEvent } from '../../../findings/check.ts';
import { isTerminate } from '../event-kinds.ts';
import type { Ledger } from '../ledger.ts';

/** What may come after `terminate`: scoring, persistence, learning, and lifecycle evidence. */
const AFTER_TERMINATE = new Set<unknown>(['insight', 'memory', 'learn', 'runtime']);

/** The partial order of phases: what begins an episode, what ends it, and what may follow. */
export class OrderCheck implements EventCheck {
  readonly #report: EventReporter;
  readonly #sealed: boolean;
  #first: LoggedEvent['event'] | undefined;
  #terminated: number | undefined;
  readonly #ledger: Ledger;
  #startRemark: (() => void) | undefined;

  /** `sealed`: the episode has its final.json, so that the log ought to be complete. */
  constructor(report: EventReporter, ledger: Ledger, sealed: boolean) {
    this.#report = report;
    this.#ledger = ledger;
    this.#sealed = sealed;
  }

  event(logged: LoggedEvent): void {
    const { event, line, id } = logged;
    const { phase } = event;
    if (this.#first === undefined) {
      this.#first = event;
      if (phase !== 'start') {
        const message = `the log begins with ${String(phase)}; every episode begins with start`;
        const draft = this.#report.draft(logged, { code: 'order/start-not-first', message, path: ['phase'] });
        this.#startRemark = () => this.#report.report(draft);
      }
    }
    if (isTerminate(event)) {
      if (this.#terminated === undefined) {
        this.#terminated = line;
        this.#ledger.noteEnd();
      } else {
        const message = `the episode has ended on line ${this.#terminated} already`;
        this.#report.at(logged, { code: 'order/terminate-repeated', message, path: ['phase'] });
      }
    } else if (this.#terminated !== undefined && !AFTER_TERMINATE.has(phase)) {
      const message = `${String(phase)} comes after terminate on line ${this.#terminated}; only insight, memory, learn and runtime may`;
      this.#report.at(logged, { code: 'order/after-terminate', message, path: ['phase'] });
    }
    this.#ledger.noteLast(line, id);
  }

  end({ whole }: LogEnd): void {
    if (!whole) return;
    const { last } = this.#ledger;
    if (last === undefined) return this.#sayEmpty();
    this.#startRemark?.();
    if (this.#terminated !== undefined) return;
    const message = this.#sealed
      ? 'the episode is sealed, and its log has no terminate event'
      : 'no terminate event yet: the run is going on, paused, or was cut off';
    this.#report.onLine(last.line, last.id, {
      code: 'order/terminate-missing',
      message,
      ...(this.#sealed && { severity: 'warn' }),
    });
  }

  #sayEmpty(): void {
    const message = 'the log holds no event; every episode begins with start';
    this.#report.report({ code: 'order/start-not-first', message, file: this.#report.file });
  }
}
