import type { EventRemark, EventReporter, LoggedEvent } from '../../findings/check.ts';
import type { FindingDraft } from '../../findings/findings.ts';

/** How faults of neighbouring records become one finding. */
interface FaultStreakRule<Fault> {
  /** Whether a fault continues the previous one. */
  readonly continues: (last: Fault, next: Fault) => boolean;
  /** The finding for a streak; undefined for none. */
  readonly message: (first: Fault, last: Fault) => string | undefined;
}

/** Neighbouring records with the same fault, reported as one finding at the first of them. */
export class FaultStreak<Fault> {
  readonly #report: EventReporter;
  readonly #rule: FaultStreakRule<Fault>;
  #open: { readonly draft: FindingDraft; readonly first: Fault; last: Fault } | undefined;

  constructor(report: EventReporter, rule: FaultStreakRule<Fault>) {
    this.#report = report;
    this.#rule = rule;
  }

  add(logged: LoggedEvent, fault: Fault, remark: Omit<EventRemark, 'message'>): void {
    if (this.#open && this.#rule.continues(this.#open.last, fault)) {
      this.#open.last = fault;
      return;
    }
    this.close();
    this.#open = { draft: this.#report.draft(logged, { ...remark, message: '' }), first: fault, last: fault };
  }

  /** Reports the open stretch: at the end of the log, or when another record interrupts it. */
  close(): void {
    if (this.#open === undefined) return;
    const { draft, first, last } = this.#open;
    this.#open = undefined;
    const message = this.#rule.message(first, last);
    if (message !== undefined) this.#report.report({ ...draft, message });
  }
}
