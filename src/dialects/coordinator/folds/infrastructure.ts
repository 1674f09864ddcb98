import { defined } from '../../../base/json/defined.ts';
import { isNumber } from '../../../base/json/stored-number.ts';
import type { JsonValue } from '../../../base/json/value.ts';
import type { CoordinatorEvent } from '../read.ts';

/** Whether work can continue, and who is repairing the infrastructure. */
export interface Infrastructure {
  blocked: boolean;
  issue: JsonValue;
  reported_by?: JsonValue;
  since?: string;
  remediation: { agent?: string; attempt: number } | null;
}

/**
 * Blocks, remediations and health audits (coordinator.md §5). A failed audit may come before or after the next attempt.
 */
export class InfrastructureFold {
  #state: Infrastructure = { blocked: false, issue: null, remediation: null };
  /** The last agent that was sent to repair it. */
  lastRemedy: string | undefined;

  /** Adds an event. Returns whether it changed anything. */
  add({ type, agentId, timestamp, detail }: CoordinatorEvent): boolean {
    switch (type) {
      case 'developer_blocked':
      case 'auditor_blocked':
      case 'infrastructure_blocked': {
        const issue = detail(type === 'auditor_blocked' ? 'pre_existing_failures' : 'issue_type') ?? null;
        const reporter = detail('reported_by') ?? agentId;
        const { since } = this.#state.blocked ? this.#state : { since: timestamp };
        const block = { blocked: true, issue, reported_by: reporter, since };
        this.#state = { ...this.#state, ...defined(block) };
        return true;
      }
      case 'health_audit_pass':
      case 'infrastructure_restored':
        this.#state = defined({ blocked: false, issue: null, remediation: null, since: timestamp });
        return true;
      case 'remediation_dispatched': {
        const attempt = detail('attempt_number');
        const number = isNumber(attempt) ? Number(attempt) : 1;
        this.lastRemedy = agentId;
        this.#state.remediation = defined({ agent: agentId, attempt: number });
        return true;
      }
      case 'remediation_complete':
      case 'remediation_failed':
      case 'remediation_exhausted':
        if (this.#state.remediation) {
          const { attempt } = this.#state.remediation;
          this.#state.remediation = { attempt };
        }
        return true;
      default:
        return false;
    }
  }

  state(): Infrastructure {
    const { remediation, ...rest } = this.#state;
    return { ...rest, remediation: remediation && { ...remediation } };
  }
}
