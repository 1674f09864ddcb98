import { GrowingNumbers } from '../../../log/growing-numbers.ts';
import type { Row } from '../../../log/row.ts';
import type { Rule } from '../../kit/rules.ts';
import { COLUMN, PHASE } from '../event/rows.ts';

const PATH = ['payload', 'action_candidate_id'];

/**
 * The candidates of a run, the decisions about them, and the acts that execute them. Candidates and events are known by
 * the ordinals of their ids.
 */
export class Candidates {
  /** The line that proposed a candidate. */
  readonly proposed = new GrowingNumbers(Int32Array);
  /** The line of the enforced veto, by candidate. */
  readonly vetoed = new GrowingNumbers(Int32Array);
  /** The line of the first act since the latest proposal, by candidate. */
  readonly acted = new GrowingNumbers(Int32Array);
  /** By the event that proposed it: the candidate + 1. */
  readonly #candidateOfEvent = new GrowingNumbers(Int32Array);

  take(row: Row): void {
    if (row.type === PHASE.act) this.#act(row);
    else if (row.type === PHASE.governance) this.#decide(row);
    else if (row.type === PHASE.action_candidate) this.#propose(row);
  }

  /** The candidate of a decision: named in the payload, else proposed by its cause; -1 for none. */
  decidedBy(row: Row): number {
    const named = row.ordinal(COLUMN.candidate);
    if (named >= 0) return named;
    for (const column of [COLUMN.cause, COLUMN.ownCause]) {
      const cause = row.ordinal(column);
      const candidate = cause < 0 ? 0 : this.#candidateOfEvent.get(cause);
      if (candidate > 0) return candidate - 1;
    }
    return -1;
  }

  #propose(row: Row): void {
    const candidate = row.ordinal(COLUMN.candidate);
    if (candidate < 0) return;
    this.proposed.set(candidate, row.line);
    // The id is a hash of the content, so an equal proposal may be made, decided and executed again.
    this.acted.set(candidate, 0);
    const event = row.ordinal(COLUMN.id);
    if (event >= 0) this.#candidateOfEvent.set(event, candidate + 1);
  }

  #decide(row: Row): void {
    // A veto in audit mode is only a remark; an enforced one forbids.
    if (row.text(COLUMN.decision) !== 'veto' || row.value(COLUMN.enforced) !== true) return;
    const candidate = this.decidedBy(row);
    if (candidate >= 0) this.vetoed.set(candidate, row.line);
  }

  #act(row: Row): void {
    const candidate = row.ordinal(COLUMN.candidate);
    if (candidate >= 0 && this.acted.get(candidate) === 0) this.acted.set(candidate, row.line);
  }
}

type CandidateRule = Rule<Row, { readonly candidates: Candidates }>;

/** The rules for candidates, the decisions about them, and the acts that execute them (noesis.md §4, §8.5, §10). */
export const CANDIDATE_RULES: Readonly<
  Record<'governance' | 'act', Readonly<Record<string, CandidateRule>>>
> = {
  governance: {
    'a decision is about a candidate, before its act'(row, { candidates }) {
      const candidate = candidates.decidedBy(row);
      if (candidate < 0) {
        // Runtimes that write failure_policy only decide about candidates.
        if (row.kind(COLUMN.failurePolicy) === undefined) return undefined;
        const message = 'the decision has no candidate: its cause is not an action candidate with an id';
        const code = 'governance/unknown-candidate';
        return { code, severity: 'warn', message, path: ['caused_by'], ifWhole: true };
      }
      const acted = candidates.acted.get(candidate);
      if (acted === 0) return undefined;
      const message = `the decision comes after its act, on line ${acted}`;
      return { code: 'order/phase', message, path: ['phase'], ifWhole: true };
    },
  },

  act: {
    'an act executes a candidate that may be executed'(row, { candidates }) {
      const candidate = row.ordinal(COLUMN.candidate);
      if (candidate < 0) return undefined;
      const veto = candidates.vetoed.get(candidate);
      if (veto === 0 && candidates.proposed.get(candidate) > 0) return undefined;
      const actual = row.texts.textOf(candidate);
      if (veto > 0) {
        const message = `this act was vetoed on line ${veto}, and the veto was enforced`;
        return { code: 'governance/act-after-veto', message, path: PATH, actual };
      }
      const message = 'the act names a candidate that no earlier event proposed';
      return { code: 'governance/unknown-candidate', message, path: PATH, actual, ifWhole: true };
    },
  },
};
