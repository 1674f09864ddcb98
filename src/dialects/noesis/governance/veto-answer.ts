import { named } from '../../../base/json/write.ts';
import { ReportingCheck } from '../../../findings/check.ts';
import type { FindingDraft } from '../../../findings/findings.ts';
import type { Row } from '../../../log/row.ts';
import { COLUMN, endsRun, PHASE } from '../event/rows.ts';
import { canonicalStatus } from '../event/vocabulary.ts';

/** The runtime's reason for a direction that governance blocked. */
const BLOCKED_BY_GOVERNANCE = 'governance_veto';

const isVetoed = (status: string | undefined): boolean => status?.trim().toLowerCase() === 'vetoed';

/**
 * Checks that a veto has an answer: the run ends as vetoed, or is interrupted with a checkpoint (noesis.md §8.5). A run
 * that ends as vetoed also needs a veto, by governance or by a blocking intuition.
 */
export class VetoAnswerCheck extends ReportingCheck {
  /** Unanswered enforced vetoes, by event id. */
  readonly #open = new Map<string | symbol, FindingDraft>();
  /** Vetoes of governance without `enforced`, and of intuition; with what they say if they only audit or advise. */
  readonly #maybeEnforced = new Map<FindingDraft, string>();
  /** Whether acts followed such a veto. */
  #acted = false;
  #interrupted = false;
  #vetoed = false;
  /** Whether there was a governance decision. */
  #decided = false;
  /** Whether an intuition vetoed and blocks. */
  #blocking = false;
  /** Who blocked the plan afterwards. If it was governance, there must be a decision. */
  #blocked: 'intuition' | 'governance' | undefined;

  row(row: Row): void {
    if (row.kind(COLUMN.payload) !== 'object') return;
    if (row.type === PHASE.governance) this.#decide(row);
    else if (row.type === PHASE.intuition) this.#advise(row);
    else if (row.type === PHASE.direction) this.#direct(row);
    else if (endsRun(row)) this.#finish(row);
    else if (this.#open.size + this.#maybeEnforced.size > 0) this.#answer(row);
  }

  #decide(row: Row): void {
    this.#decided = true;
    if (row.text(COLUMN.decision) !== 'veto') return;
    const enforced = row.value(COLUMN.enforced);
    if (enforced === false) return;
    this.#vetoed = true;
    this.#interrupted = false;
    const remark = { code: 'governance/veto-ignored', message: '', path: ['payload', 'decision'] } as const;
    const draft = this.report.draft(row, remark);
    if (enforced === true) this.#open.set(row.id ?? Symbol('no id'), draft);
    else if (row.value(COLUMN.mode) !== 'audit') this.#maybeEnforced.set(draft, '"enforced":false');
  }

  #advise(row: Row): void {
    if (row.text(COLUMN.kind) !== 'veto' || row.value(COLUMN.blocking) === false) return;
    this.#blocking = true;
    // A veto that only advises says that it does not block, or that it was not applied.
    if (row.value(COLUMN.blocking) !== true || row.value(COLUMN.applied) === false) return;
    const remark = { code: 'governance/veto-ignored', message: '', path: ['payload', 'blocking'] } as const;
    this.#maybeEnforced.set(this.report.draft(row, remark), '"blocking":false');
  }

  #direct(row: Row): void {
    if (!this.#blocking || row.text(COLUMN.status) !== 'blocked') return;
    this.#blocked = row.value(COLUMN.reason) === BLOCKED_BY_GOVERNANCE ? 'governance' : 'intuition';
  }

  /** Whether an intuition ended the run by blocking the plan, or because nothing else did. */
  get #endedByIntuition(): boolean {
    return this.#blocking && (this.#blocked === 'intuition' || !(this.#blocked || this.#decided));
  }

  /** Compares the end of the run with its vetoes: it ends as vetoed if and only if a veto was enforced. */
  #finish(row: Row): void {
    const status = row.text(COLUMN.status);
    if (!this.#vetoed && !this.#endedByIntuition && isVetoed(status)) {
      const message =
        'the run ended as vetoed, but no decision and no blocking intuition before it is an enforced veto';
      this.report.ifWhole.at(row, { code: 'governance/veto-missing', message, path: ['payload', 'status'] });
    }
    if (status !== undefined && !isVetoed(status)) {
      const message = `this veto was enforced, but the run continued and ended as ${named(status)} on line ${row.line}`;
      for (const draft of this.#open.values()) this.report.ifWhole.report({ ...draft, message });
    }
    if (status !== undefined && this.#acted && canonicalStatus(status.trim().toLowerCase()) === 'ok') {
      const what = `acts followed this veto, and the run ended as ${named(status)} on line ${row.line}`;
      for (const [draft, otherwise] of this.#maybeEnforced) {
        const message = `${what}; a veto that does not stop the run says ${otherwise}`;
        this.report.ifWhole.report({ ...draft, message });
      }
    }
    this.#clear();
  }

  #clear(): void {
    this.#open.clear();
    this.#maybeEnforced.clear();
    this.#acted = false;
  }

  #answer(row: Row): void {
    if (row.type === PHASE.act) {
      // An act that executes the candidate is reported as governance/act-after-veto instead.
      const cause = row.kind(COLUMN.candidate) === 'string' ? row.text(COLUMN.cause) : undefined;
      if (cause !== undefined) this.#open.delete(cause);
      this.#acted ||= this.#maybeEnforced.size > 0;
      return;
    }
    const type = row.text(COLUMN.eventType);
    if (type === 'run.interrupt') this.#interrupted = true;
    else if (type === 'run.checkpoint' && this.#interrupted) this.#clear();
  }
}
