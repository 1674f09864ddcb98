import type { EventCheck, EventReporter, LogEnd, LoggedEvent } from '../../../findings/check.ts';
import { isObject, type JsonObject } from '../../../json/value.ts';
import type { IdRegistry, Ledger } from '../ledger.ts';

/** Candidates, the decisions about them, and the acts that carry them out (noesis.md §4, §8.5, §10). */
export class GovernanceCheck implements EventCheck {
  readonly #report: EventReporter;
  /** Candidate id by the id of the event that proposed it. */
  readonly #candidateOfEvent = new Map<string, string>();
  readonly #ledger: Ledger;
  /** The line of the enforced veto, by candidate. */
  readonly #vetoed = new Map<string, number>();
  readonly #unknown: EventReporter;

  constructor(report: EventReporter, ledger: Ledger) {
    this.#report = report;
    this.#unknown = report.later();
    this.#ledger = ledger;
  }

  event(logged: LoggedEvent): void {
    const { phase, payload } = logged.event;
    if (!isObject(payload)) return;
    if (phase === 'action_candidate') this.#propose(logged, payload);
    else if (phase === 'governance') this.#decide(logged, payload);
    else if (phase === 'act') this.#act(logged, payload);
  }

  end({ whole }: LogEnd): void {
    if (whole) this.#report.confirm(this.#unknown);
  }

  #propose(logged: LoggedEvent, payload: JsonObject): void {
    const { action_candidate_id: id } = payload;
    if (typeof id !== 'string') return;
    // Which event proposed it is remembered below; here the ordinals only have to stay in order.
    const { candidates } = this.#ledger;
    candidates.add(id, logged.line, candidates.size === 0 ? -1 : candidates.parentOf(candidates.size - 1));
    if (logged.id !== undefined) this.#candidateOfEvent.set(logged.id, id);
  }

  #decide(logged: LoggedEvent, payload: JsonObject): void {
    const { governance_id: id, decision, enforced } = payload;
    if (typeof id === 'string') {
      const before = this.#ledger.decisions.add(id, logged.line);
      if (before >= 0) {
        const message = `governance_id stands on line ${this.#ledger.decisions.lineOf(before)} already`;
        const path = ['payload', 'governance_id'];
        this.#report.at(logged, { code: 'governance/duplicate-id', message, path, actual: id });
      }
    }
    // A veto in audit mode is a remark; only an enforced one forbids.
    const candidate = this.#candidateOf(logged, payload);
    if (decision === 'veto' && enforced === true && candidate !== undefined)
      this.#vetoed.set(candidate, logged.line);
    this.#ledger.noteVeto();
  }

  /** The candidate a decision is about: named in the payload, else the one whose proposal caused it. */
  #candidateOf({ event }: LoggedEvent, payload: JsonObject): string | undefined {
    const named = payload['action_candidate_id'];
    if (typeof named === 'string') return named;
    for (const cause of [event['caused_by'], payload['caused_by']]) {
      const candidate = typeof cause === 'string' ? this.#proposedBy(cause) : undefined;
      if (candidate !== undefined) return candidate;
    }
    return undefined;
  }

  /** The candidate that an event proposed, whether that event was parsed or not. */
  #proposedBy(event: string): string | undefined {
    const known = this.#candidateOfEvent.get(event);
    if (known !== undefined) return known;
    const { ids, candidates } = this.#ledger;
    const candidate = firstWithParent(candidates, ids.find(event));
    return candidate < 0 ? undefined : candidates.idOf(candidate);
  }

  #act(logged: LoggedEvent, payload: JsonObject): void {
    const candidate = payload['action_candidate_id'];
    if (typeof candidate !== 'string') return;
    const path = ['payload', 'action_candidate_id'];
    const veto = this.#vetoed.get(candidate);
    if (veto !== undefined) {
      const message = `this act was vetoed on line ${veto}, and the veto was enforced`;
      this.#report.at(logged, { code: 'governance/act-after-veto', message, path, actual: candidate });
    } else if (this.#ledger.candidates.find(candidate) < 0) {
      const message = 'the act names a candidate that no earlier event proposed';
      const remark = { code: 'governance/unknown-candidate', message, path, actual: candidate } as const;
      this.#unknown.at(logged, remark);
    }
  }
}

/** The ordinal of the id whose parent is `parent`, or -1. Parents ascend, as candidates come with their events. */
function firstWithParent(registry: IdRegistry, parent: number): number {
  if (parent < 0) return -1;
  let from = 0;
  let to = registry.size;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (registry.parentOf(middle) < parent) from = middle + 1;
    else to = middle;
  }
  return from < registry.size && registry.parentOf(from) === parent ? from : -1;
}
