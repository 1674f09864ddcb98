import type { EventCheck, EventReporter, LogEnd, LoggedEvent } from '../../../findings/check.ts';
import type { FindingDraft } from '../../../findings/findings.ts';
import { isObject, type JsonObject } from '../../../json/value.ts';
import { isTerminate } from '../event-kinds.ts';

const isVetoed = (status: unknown): boolean =>
  typeof status === 'string' && status.trim().toLowerCase() === 'vetoed';

/** What the runtime owes an enforced veto: the end of the run as vetoed, or an interrupt and a checkpoint (noesis.md §8.5). */
export class VetoAnswerCheck implements EventCheck {
  readonly #report: EventReporter;
  /** Enforced vetoes that nothing has answered yet: by the id of their event, and those without one. */
  readonly #open = new Map<string | symbol, FindingDraft>();
  #interrupted = false;
  #vetoed = false;
  /** Both are certain only when no line was corrupt. */
  readonly #ignored: EventReporter;
  readonly #missing: EventReporter;

  constructor(report: EventReporter) {
    this.#report = report;
    this.#ignored = report.later();
    this.#missing = report.later();
  }

  event(logged: LoggedEvent): void {
    const { event, id } = logged;
    const { phase, payload } = event;
    if (!isObject(payload)) return;
    this.#checkVetoedEnd(logged, payload);
    if (phase === 'governance' && payload['decision'] === 'veto' && payload['enforced'] === true) {
      const remark = { code: 'governance/veto-ignored', message: '', path: ['payload', 'decision'] } as const;
      this.#open.set(id ?? Symbol('no id'), this.#report.draft(logged, remark));
      this.#interrupted = false;
    } else if (this.#open.size > 0) this.#answer(logged, payload);
  }

  end({ whole }: LogEnd): void {
    if (!whole) return;
    this.#report.confirm(this.#ignored);
    this.#report.confirm(this.#missing);
  }

  /** A run ends as vetoed where a veto was enforced. The documents' own form does not say whether it was. */
  #checkVetoedEnd(logged: LoggedEvent, { decision, enforced, status }: JsonObject): void {
    const { phase } = logged.event;
    if (phase === 'governance' && decision === 'veto' && enforced !== false) this.#vetoed = true;
    if (this.#vetoed || !isTerminate(logged.event) || !isVetoed(status)) return;
    const message = 'the run ended as vetoed, and no decision before it is a veto that was enforced';
    this.#missing.at(logged, { code: 'governance/veto-missing', message, path: ['payload', 'status'] });
  }

  #answer(logged: LoggedEvent, { status, action_candidate_id: candidate }: JsonObject): void {
    const { event, line } = logged;
    const { phase, event_type: type, caused_by: cause } = event;
    if (isTerminate(event)) {
      if (typeof status === 'string' && !isVetoed(status)) {
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
