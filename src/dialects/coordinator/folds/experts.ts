import type { JsonValue } from '../../../base/json/value.ts';
import { textOf } from '../../../base/json/write.ts';
import type { CoordinatorEvent } from '../read.ts';

/** An expert and its delegations. Unknown values are absent. */
export interface ExpertRow {
  agent_type?: JsonValue;
  name?: JsonValue;
  domain?: JsonValue;
  capabilities?: JsonValue;
  keyword_triggers?: JsonValue;
  request_types?: JsonValue;
  definition_hash?: JsonValue;
  created_at?: string;
  completions: number;
  failures: number;
  out_of_scope: number;
  /** Delegations without a result. */
  active_runs: string[];
}

/** The members that an expert gets when it is created. */
export const DEFINITION = [
  'agent_type',
  'name',
  'domain',
  'capabilities',
  'keyword_triggers',
  'request_types',
  'definition_hash',
] as const;

const OUTCOMES: ReadonlyMap<string, 'completions' | 'failures' | 'out_of_scope'> = new Map([
  ['expert_complete', 'completions'],
  ['expert_failed', 'failures'],
  ['expert_out_of_scope', 'out_of_scope'],
]);

/** A delegation that has no result, or that was out of scope. */
export interface Delegation {
  readonly expert: string;
  readonly task: string | undefined;
  readonly isActive: boolean;
}

/** The experts by agent id, or by name (coordinator.md §3, §5). */
export class ExpertFold {
  readonly #rows = new Map<string, ExpertRow>();
  /** The experts that an event created. Others are only known by their delegations. */
  readonly created = new Set<string>();
  /** By run. The documents do not remove a delegation that was out of scope from the state (coordinator.md §3). */
  readonly delegations = new Map<string, Delegation>();

  /** Adds an event. Returns the id of the expert that it changed. */
  add(event: CoordinatorEvent): string | undefined {
    const { type, agentId, timestamp, detail } = event;
    const outcome = OUTCOMES.get(type);
    if (type !== 'expert_created' && type !== 'expert_delegated' && outcome === undefined) return undefined;
    const name = detail('name');
    const id = agentId ?? (typeof name === 'string' ? name : undefined);
    if (id === undefined) return undefined;
    const row = this.#row(id);
    const run = textOf(detail('run_id') ?? '');
    if (type === 'expert_created') {
      this.created.add(id);
      for (const key of DEFINITION) {
        const value = detail(key);
        if (value !== undefined) row[key] = value;
      }
      if (timestamp !== undefined) row.created_at = timestamp;
    } else if (outcome === undefined) {
      if (!row.active_runs.includes(run)) row.active_runs.push(run);
      this.delegations.set(run, { expert: id, task: event.taskId, isActive: true });
    } else {
      row[outcome] += 1;
      const delegation = this.delegations.get(run);
      if (outcome !== 'out_of_scope') this.delegations.delete(run);
      else if (delegation) this.delegations.set(run, { ...delegation, isActive: false });
      row.active_runs = row.active_runs.filter((active) => active !== run);
    }
    return id;
  }

  /** Delegations do not outlive their session. */
  newSession(): void {
    for (const row of this.#rows.values()) row.active_runs = [];
    this.delegations.clear();
  }

  rows(): [string, ExpertRow][] {
    return [...this.#rows].map(([id, row]) => [id, { ...row, active_runs: [...row.active_runs] }]);
  }

  #row(id: string): ExpertRow {
    let row = this.#rows.get(id);
    if (row === undefined) {
      row = { completions: 0, failures: 0, out_of_scope: 0, active_runs: [] };
      this.#rows.set(id, row);
    }
    return row;
  }
}
