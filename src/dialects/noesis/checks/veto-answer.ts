import type { EventCheck, EventReporter, LogEnd, LoggedEvent } from '../../../findings/check.ts';
import type { FindingDraft } from '../../../findings/findings.ts';
import { isObject, type JsonObject } from '../../../json/value.ts';
import { isTerminate } from '../event-kinds.ts';

/** What the runtime owes an enforced veto: the end of the run as vetoed, or an interrupt and a checkpoint (noesis.md §8.5). */
export class VetoAnswerCheck implements EventCheck {
  readonly #report: EventReporter;
  /** Enforced vetoes that nothing has answered yet: by the id of their event, and those without one. */
  readonly #open = new Map<string | symbol, FindingDraft>();
  #interrupted = false;
  /** Certain only when no line in between was corrupt. */
  readonly #ignored: EventReporter;

  constructor(report: EventReporter) {
    this.#report = report;
    this.#ignored = report.later();
  }

  event(logged: LoggedEvent): void {
    const { event, id } = logged;
    const { phase, payload } = event;
    if (!isObject(payload)) return;
    if (phase === 'governance' && payload['decision'] === 'veto' && payload['enforced'] === true) {
      const remark = { code: 'governance/veto-ignored', message: '', path: ['payload', 'decision'] } as const;
      this.#open.set(id ?? Symbol('no id'), this.#report.draft(logged, remark));
      this.#interrupted = false;
    } else if (this.#open.size > 0) this.#answer(logged, payload);
  }

  end({ whole }: LogEnd): void {
    if (whole) this.#report.confirm(this.#ignored);
  }

  #answer(logged: LoggedEvent, { status, action_candidate_id: candidate }: JsonObject): void {
    const { event, line } = logged;
    const { phase, event_type: type, caused_by: cause } = event;
    if (isTerminate(event)) {
      if (typeof status === 'string' && status.trim().toLowerCase() !== 'vetoed') {
        const message = `this veto was enforced, and the run went on and ended as ${status} on line ${line}`;
        for (const draft of this.#open.values()) this.#ignored.report({ ...draft, message });
      }
      this.#open.clear();
    } else if (phase === 'act') {
      // An act that carries the candidate out is governance/act-after-veto, which says more.
      if (typeof candidate === 'string' && typeof cause === 'string') this.#open.delete(cause);
    } else if (type === 'run.interrupt') this.#interrupted = true;
    else if (type === 'run.checkpoint' && this.#interrupted) this.#open.clear();
  }
}
