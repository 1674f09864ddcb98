import { ReportingCheck } from '../../../findings/check.ts';
import { GrowingNumbers } from '../../../log/growing-numbers.ts';
import type { Row } from '../../../log/row.ts';
import { COLUMN, PHASE } from '../event/rows.ts';

const PATH = ['payload', 'action_candidate_id'];

const TYPES = new Set([PHASE.act, PHASE.governance, PHASE.action_candidate]);

/**
 * Checks candidates, the decisions about them, and the acts that execute them (noesis.md §4, §8.5, §10). Candidates and
 * events are known by the ordinals of their ids.
 */
export class GovernanceCheck extends ReportingCheck {
  readonly types = TYPES;
  /** The line that proposed a candidate. */
  readonly #proposed = new GrowingNumbers(Int32Array);
  /** By the event that proposed it: the candidate + 1. */
  readonly #candidateOfEvent = new GrowingNumbers(Int32Array);
  /** The line of the enforced veto, by candidate. */
  readonly #vetoed = new GrowingNumbers(Int32Array);
  /** The line of the first act since the latest proposal, by candidate. */
  readonly #acted = new GrowingNumbers(Int32Array);

  row(row: Row): void {
    if (row.type === PHASE.act) this.#act(row);
    else if (row.type === PHASE.governance) this.#decide(row);
    else this.#propose(row);
  }

  #propose(row: Row): void {
    const candidate = row.ordinal(COLUMN.candidate);
    if (candidate < 0) return;
    this.#proposed.set(candidate, row.line);
    // The id is a hash of the content, so an equal proposal may be made, decided and executed again.
    this.#acted.set(candidate, 0);
    const event = row.ordinal(COLUMN.id);
    if (event >= 0) this.#candidateOfEvent.set(event, candidate + 1);
  }

  #decide(row: Row): void {
    const candidate = this.#candidateOf(row);
    if (candidate < 0) return this.#decideWithoutCandidate(row);
    const acted = this.#acted.get(candidate);
    if (acted > 0) {
      const message = `the decision comes after its act, on line ${acted}`;
      this.report.ifWhole.at(row, { code: 'order/phase', message, path: ['phase'] });
    }
    // A veto in audit mode is only a remark; an enforced one forbids.
    if (row.text(COLUMN.decision) === 'veto' && row.value(COLUMN.enforced) === true)
      this.#vetoed.set(candidate, row.line);
  }

  /** Reports a decision without a candidate. Runtimes that write failure_policy only decide about candidates. */
  #decideWithoutCandidate(row: Row): void {
    if (row.kind(COLUMN.failurePolicy) === undefined) return;
    const message = 'the decision has no candidate: its cause is not an action candidate with an id';
    const code = 'governance/unknown-candidate';
    this.report.ifWhole.at(row, { code, severity: 'warn', message, path: ['caused_by'] });
  }

  /** The candidate of a decision: named in the payload, else proposed by its cause; -1 for none. */
  #candidateOf(row: Row): number {
    const named = row.ordinal(COLUMN.candidate);
    if (named >= 0) return named;
    for (const column of [COLUMN.cause, COLUMN.ownCause]) {
      const cause = row.ordinal(column);
      const candidate = cause < 0 ? 0 : this.#candidateOfEvent.get(cause);
      if (candidate > 0) return candidate - 1;
    }
    return -1;
  }

  #act(row: Row): void {
    const candidate = row.ordinal(COLUMN.candidate);
    if (candidate < 0) return;
    const veto = this.#vetoed.get(candidate);
    if (veto > 0) {
      const message = `this act was vetoed on line ${veto}, and the veto was enforced`;
      const actual = row.texts.textOf(candidate);
      this.report.at(row, { code: 'governance/act-after-veto', message, path: PATH, actual });
    } else if (this.#proposed.get(candidate) === 0) {
      const message = 'the act names a candidate that no earlier event proposed';
      const actual = row.texts.textOf(candidate);
      this.report.ifWhole.at(row, { code: 'governance/unknown-candidate', message, path: PATH, actual });
    }
    if (this.#acted.get(candidate) === 0) this.#acted.set(candidate, row.line);
  }
}
