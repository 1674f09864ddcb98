import type { EventCheck, EventReporter, LogEnd, LoggedEvent } from '../../../findings/check.ts';
import { isObject, type JsonObject } from '../../../json/value.ts';

/** Candidates, the decisions about them, and the acts that carry them out (noesis.md §4, §8.5, §10). */
export class GovernanceCheck implements EventCheck {
  readonly #report: EventReporter;
  readonly #candidates = new Set<string>();
  /** Candidate id by the id of the event that proposed it. */
  readonly #candidateOfEvent = new Map<string, string>();
  /** The line of the enforced veto, by candidate. */
  readonly #vetoed = new Map<string, number>();
  /** The line of the first act, by candidate. */
  readonly #acted = new Map<string, number>();
  readonly #unknown: EventReporter;

  constructor(report: EventReporter) {
    this.#report = report;
    this.#unknown = report.later();
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

  #propose({ id: event }: LoggedEvent, { action_candidate_id: id }: JsonObject): void {
    if (typeof id !== 'string') return;
    this.#candidates.add(id);
    if (event !== undefined) this.#candidateOfEvent.set(event, id);
  }

  #decide(logged: LoggedEvent, payload: JsonObject): void {
    const candidate = this.#candidateOf(logged, payload);
    if (candidate === undefined) return;
    const acted = this.#acted.get(candidate);
    if (acted !== undefined) {
      const message = `the decision comes after the act that it is about, on line ${acted}`;
      this.#report.at(logged, { code: 'order/phase', message, path: ['phase'] });
    }
    // A veto in audit mode is a remark; only an enforced one forbids.
    if (payload['decision'] === 'veto' && payload['enforced'] === true)
      this.#vetoed.set(candidate, logged.line);
  }

  /** The candidate a decision is about: named in the payload, else the one whose proposal caused it. */
  #candidateOf({ event }: LoggedEvent, payload: JsonObject): string | undefined {
    const named = payload['action_candidate_id'];
    if (typeof named === 'string') return named;
    for (const cause of [event['caused_by'], payload['caused_by']]) {
      const candidate = typeof cause === 'string' ? this.#candidateOfEvent.get(cause) : undefined;
      if (candidate !== undefined) return candidate;
    }
    return undefined;
  }

  #act(logged: LoggedEvent, payload: JsonObject): void {
    const candidate = payload['action_candidate_id'];
    if (typeof candidate !== 'string') return;
    const path = ['payload', 'action_candidate_id'];
    const veto = this.#vetoed.get(candidate);
    if (veto !== undefined) {
      const message = `this act was vetoed on line ${veto}, and the veto was enforced`;
      this.#report.at(logged, { code: 'governance/act-after-veto', message, path, actual: candidate });
    } else if (!this.#candidates.has(candidate)) {
      const message = 'the act names a candidate that no earlier event proposed';
      const remark = { code: 'governance/unknown-candidate', message, path, actual: candidate } as const;
      this.#unknown.at(logged, remark);
    }
    if (!this.#acted.has(candidate)) this.#acted.set(candidate, logged.line);
  }
}
