import type { EventCheck, EventReporter, LogEnd, LoggedEvent } from '../../../findings/check.ts';
import { isTerminate } from '../event-kinds.ts';
import type { Ledger } from '../ledger.ts';
import { isStateProjection } from '../outcome-projection.ts';
import { isOneOf, PHASES } from '../vocabulary.ts';

/** What may come after `terminate`: scoring, persistence, learning, and lifecycle evidence. */
const AFTER_TERMINATE = new Set<unknown>(['insight', 'memory', 'learn', 'runtime']);

/** The cognitive loop. Each of its phases may be absent, and may come again. */
const LOOP = ['start', 'observe', 'intuition', 'interpret', 'plan', 'direction', 'act', 'reflect'] as const;

/** The partial order of phases: what begins an episode, what ends it, and what may follow. */
export class OrderCheck implements EventCheck {
  readonly #report: EventReporter;
  readonly #sealed: boolean;
  #first: LoggedEvent['event'] | undefined;
  #terminated: number | undefined;
  readonly #ledger: Ledger;
  #startRemark: (() => void) | undefined;
  #started: number | undefined;
  /** The line on which each phase of the loop came first. */
  readonly #firstLines = new Map<(typeof LOOP)[number], number>();
  #previousId: string | undefined;

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
    if (phase === 'start') this.#checkStart(logged);
    this.#checkLoop(logged);
    this.#checkProjectionCause(logged);
    if (isTerminate(event)) {
      if (this.#terminated === undefined) {
        this.#terminated = line;
      } else {
        const message = `the episode has ended on line ${this.#terminated} already`;
        this.#report.at(logged, { code: 'order/terminate-repeated', message, path: ['phase'] });
      }
    } else if (this.#terminated !== undefined && isOneOf(PHASES, phase) && !AFTER_TERMINATE.has(phase)) {
      const message = `${String(phase)} comes after terminate on line ${this.#terminated}; only insight, memory, learn and runtime may`;
      this.#report.at(logged, { code: 'order/after-terminate', message, path: ['phase'] });
    }
    this.#ledger.noteLast(line, id);
    this.#previousId = id ?? this.#previousId;
  }

  #checkStart(logged: LoggedEvent): void {
    if (this.#started === undefined) {
      this.#started = logged.line;
      return;
    }
    const message = `the episode has started on line ${this.#started} already`;
    this.#report.at(logged, { code: 'order/start-repeated', message, path: ['phase'] });
  }

  /** Whether a phase that comes for the first time comes later than one that the loop has after it. */
  #checkLoop(logged: LoggedEvent): void {
    const { phase } = logged.event;
    if (!isOneOf(LOOP, phase) || this.#firstLines.has(phase)) return;
    this.#firstLines.set(phase, logged.line);
    // A log that does not begin with its start has a finding of its own.
    const early =
      phase === 'start'
        ? undefined
        : LOOP.slice(LOOP.indexOf(phase) + 1).find((later) => this.#firstLines.has(later));
    if (early === undefined) return;
    const message = `${phase} comes after ${early} on line ${this.#firstLines.get(early)}; the loop has it before`;
    this.#report.at(logged, { code: 'order/phase', message, path: ['phase'] });
  }

  /** A state projection is caused by the latest event before it. */
  #checkProjectionCause(logged: LoggedEvent): void {
    const { event } = logged;
    const { caused_by: cause } = event;
    if (typeof cause !== 'string' || cause === this.#previousId || !isStateProjection(event)) return;
    const message =
      'the state projection names another cause than the event before it, whose outcome it persists';
    const values = { actual: cause, ...(this.#previousId !== undefined && { expected: this.#previousId }) };
    this.#report.at(logged, { code: 'order/phase', message, path: ['caused_by'], ...values });
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
