import type { EventCheck, EventReporter, LogEnd } from '../../../findings/check.ts';
import type { FindingDraft } from '../../../findings/findings.ts';
import type { Row } from '../../../log/row.ts';
import { COLUMN, endsRun, PHASE } from '../rows.ts';

const isVetoed = (status: string | undefined): boolean => status?.trim().toLowerCase() === 'vetoed';

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

  row(row: Row): void {
    if (row.kind(COLUMN.payload) !== 'object') return;
    if (row.type === PHASE.governance) this.#decide(row);
    else if (endsRun(row)) this.#finish(row);
    else if (this.#open.size > 0) this.#answer(row);
  }

  #decide(row: Row): void {
    if (row.text(COLUMN.decision) !== 'veto') return;
    const enforced = row.value(COLUMN.enforced);
    // The documents' own form does not say whether a veto was enforced.
    if (enforced !== false) this.#vetoed = true;
    if (enforced !== true) return;
    const remark = { code: 'governance/veto-ignored', message: '', path: ['payload', 'decision'] } as const;
    this.#open.set(row.id ?? Symbol('no id'), this.#report.draft(row, remark));
    this.#interrupted = false;
  }

  end({ whole }: LogEnd): void {
    if (!whole) return;
    this.#report.confirm(this.#ignored);
    this.#report.confirm(this.#missing);
  }

  /** A run ends as vetoed where a veto was enforced, and only there. */
  #finish(row: Row): void {
    const status = row.text(COLUMN.status);
    if (!this.#vetoed && isVetoed(status)) {
      const message = 'the run ended as vetoed, and no decision before it is a veto that was enforced';
      this.#missing.at(row, { code: 'governance/veto-missing', message, path: ['payload', 'status'] });
    }
    if (status !== undefined && !isVetoed(status)) {
      const message = `this veto was enforced, and the run went on and ended as ${status} on line ${row.line}`;
      for (const draft of this.#open.values()) this.#ignored.report({ ...draft, message });
    }
    this.#open.clear();
  }

  #answer(row: Row): void {
    if (row.type === PHASE.act) {
      // An act that carries the candidate out is governance/act-after-veto, which says more.
      const cause = row.kind(COLUMN.candidate) === 'string' ? row.text(COLUMN.cause) : undefined;
      if (cause !== undefined) this.#open.delete(cause);
      return;
    }
    const type = row.text(COLUMN.eventType);
    if (type === 'run.interrupt') this.#interrupted = true;
    else if (type === 'run.checkpoint' && this.#interrupted) this.#open.clear();
  }
}
