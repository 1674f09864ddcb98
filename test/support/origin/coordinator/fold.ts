import { isObject, type JsonObject, type JsonValue, jsonEqual } from '../../../../src/base/json/value.ts';
import { keyText, OriginError, optional, required, truthy } from './python.ts';

type Row = { task_id: JsonValue; agent_id: JsonValue; status: string; dispatched_at: JsonValue };
type Table = Map<string, JsonValue>;

/** The reference state, in its own names; lists first, then maps, then plain values (coordinator.md §4). */
class OriginState {
  completed_tasks: JsonValue[] = [];
  in_progress_tasks: Row[] = [];
  available_tasks: JsonValue[] = [];
  blocked_tasks: Table = new Map();
  pending_critique: JsonValue[] = [];
  pending_audit: JsonValue[] = [];
  active_agents: Table = new Map();
  active_developers: Table = new Map();
  active_auditors: Table = new Map();
  active_critics: Table = new Map();
  critique_failures: Table = new Map();
  critic_timeouts: Table = new Map();
  audit_failures: Table = new Map();
  infrastructure_blocked = false;
  infrastructure_issue: JsonValue = null;
  active_remediation: JsonValue = null;
  remediation_attempt_count: JsonValue = 0;
  experts: JsonValue[] = [];
  active_experts: Table = new Map();
  expert_stats: Table = new Map();
  pending_delegation_requests: JsonValue[] = [];
  paused_agents: Table = new Map();
  pending_divine_questions: JsonObject[] = [];
  queued_for_file_conflict: JsonValue[] = [];
  queue_retry_tracker: Table = new Map();
  task_quality_assessed = false;
  pending_expansions: Table = new Map();
  active_business_analysts: Table = new Map();
  expanded_tasks: Table = new Map();
  agent_files_created: Table = new Map();
}

const plain = (value: unknown): JsonValue =>
  (value instanceof Map ? Object.fromEntries(value) : value) as JsonValue;
const without = (list: readonly JsonValue[], value: JsonValue) =>
  list.filter((item) => !jsonEqual(item, value));
const including = (list: readonly JsonValue[], value: JsonValue) =>
  list.some((item) => jsonEqual(item, value)) ? [...list] : [...list, value];

function increment(table: Table, key: JsonValue): void {
  const name = keyText(key);
  table.set(name, Number(table.get(name) ?? 0) + 1);
}

/**
 * The reference algorithm that rebuilds the state, word by word and with its bugs: it reads every field at the top of
 * the event, adds a row with each dispatch, and never looks at sessions (coordinator.md §2, §5).
 */
export class OriginFold {
  readonly #state = new OriginState();
  #raised: OriginError | undefined;

  add(event: JsonObject): void {
    if (this.#raised) return;
    try {
      this.#step(event);
    } catch (error) {
      if (!(error instanceof OriginError)) throw error;
      this.#raised = error;
    }
  }

  /** The parts of the state that are not as they were at the start, or the error that ended the algorithm. */
  difference(): JsonObject {
    if (this.#raised) return { raises: this.#raised.kind };
    const empty = new OriginState();
    const keys = Object.keys(empty) as (keyof OriginState)[];
    return Object.fromEntries(
      keys
        .map((key): [string, JsonValue, JsonValue] => [key, plain(this.#state[key]), plain(empty[key])])
        .filter(([, now, then]) => !jsonEqual(now, then))
        .map(([key, now]) => [key, now]),
    );
  }

  #step(event: JsonObject): void {
    const state = this.#state;
    const get = (key: string) => optional(event, key);
    const task = get('task_id');
    const agent = get('agent_id');
    const at = get('timestamp');
    switch (get('event_type')) {
      case 'developer_dispatched': {
        const id = Object.hasOwn(event, 'task_id') ? task : get('task');
        state.available_tasks = without(state.available_tasks, id);
        state.in_progress_tasks.push({
          task_id: id,
          agent_id: agent,
          status: 'implementing',
          dispatched_at: at,
        });
        state.active_developers.set(keyText(agent), { task_id: id, dispatched_at: at });
        return;
      }
      case 'developer_ready_for_review':
        state.active_developers.delete(keyText(agent));
        this.#status(task, 'awaiting-review');
        state.pending_critique = including(state.pending_critique, task);
        return;
      case 'critic_dispatched':
        state.pending_critique = without(state.pending_critique, task);
        state.active_critics.set(keyText(agent), { task_id: task, dispatched_at: at });
        return;
      case 'critic_pass':
        state.pending_critique = without(state.pending_critique, task);
        this.#status(task, 'awaiting-audit');
        state.pending_audit = including(state.pending_audit, task);
        state.active_critics.delete(keyText(agent));
        return;
      case 'critic_fail':
        state.pending_critique = without(state.pending_critique, task);
        this.#status(task, 'implementing');
        increment(state.critique_failures, task);
        state.active_critics.delete(keyText(agent));
        return;
      case 'critic_timeout':
        return increment(state.critic_timeouts, task);
      case 'auditor_dispatched':
        state.pending_audit = without(state.pending_audit, task);
        state.active_auditors.set(keyText(agent), { task_id: task, dispatched_at: at });
        return;
      case 'task_complete':
        state.pending_audit = without(state.pending_audit, task);
        state.in_progress_tasks = state.in_progress_tasks.filter((row) => !jsonEqual(row.task_id, task));
        state.completed_tasks = including(state.completed_tasks, task);
        state.active_auditors.delete(keyText(agent));
        return;
      case 'auditor_fail':
        state.pending_audit = without(state.pending_audit, task);
        increment(state.audit_failures, task);
        this.#status(task, 'implementing');
        state.active_auditors.delete(keyText(agent));
        return;
      case 'developer_incomplete': {
        const id = required(event, 'task_id');
        if (truthy(get('escalate'))) this.#status(id, 'awaiting-divine-guidance');
        return;
      }
      case 'agent_seeks_guidance':
        state.pending_divine_questions.push({
          agent_id: agent,
          task_id: task,
          question: get('question'),
          options: get('options'),
          timestamp: required(event, 'timestamp'),
          response: null,
        });
        return;
      case 'divine_response_received': {
        const question = state.pending_divine_questions.find((item) => jsonEqual(item['task_id'], task));
        if (question) question['response'] = get('response');
        return;
      }
      default:
        this.#infrastructure(event, get);
        this.#experts(event, get);
        this.#preparation(event, get);
    }
  }

  /** The first row of the task, which after a second dispatch is the stale one. */
  #status(task: JsonValue, status: string): void {
    const row = this.#state.in_progress_tasks.find((item) => jsonEqual(item.task_id, task));
    if (row) row.status = status;
  }

  #infrastructure(event: JsonObject, get: (key: string) => JsonValue): void {
    const state = this.#state;
    switch (get('event_type')) {
      case 'auditor_blocked':
      case 'developer_blocked':
        required(event, 'task_id');
        state.infrastructure_blocked = true;
        state.infrastructure_issue = get(
          get('event_type') === 'auditor_blocked' ? 'pre_existing_failures' : 'issue_type',
        );
        return;
      case 'infrastructure_blocked':
        state.infrastructure_blocked = true;
        state.infrastructure_issue = get('issue_type');
        return;
      case 'infrastructure_restored':
      case 'health_audit_pass':
        state.infrastructure_blocked = false;
        state.infrastructure_issue = null;
        state.remediation_attempt_count = 0;
        return;
      case 'remediation_dispatched':
        state.active_remediation = get('agent_id');
        state.remediation_attempt_count = Object.hasOwn(event, 'attempt_number') ? get('attempt_number') : 1;
        return;
      case 'remediation_complete':
        state.active_remediation = null;
    }
  }

  #experts(event: JsonObject, get: (key: string) => JsonValue): void {
    const state = this.#state;
    const agent = get('agent_id');
    switch (get('event_type')) {
      case 'expert_created':
        state.experts.push({
          agent_id: agent,
          agent_type: get('agent_type'),
          name: get('name'),
          domain: get('domain'),
          created_at: required(event, 'timestamp'),
        });
        return;
      case 'expert_delegated':
        // The contract does not say which members the entry has; no sample leaves one standing.
        state.active_experts.set(keyText(get('run_id')), {
          agent_id: agent,
          from_agent_id: get('from_agent_id'),
          task_id: get('task_id'),
          delegated_at: required(event, 'timestamp'),
        });
        return;
      case 'expert_complete':
      case 'expert_failed': {
        state.active_experts.delete(keyText(get('run_id')));
        const before = state.expert_stats.get(keyText(agent));
        const stats = isObject(before) ? before : { completions: 0, failures: 0 };
        const counter = get('event_type') === 'expert_complete' ? 'completions' : 'failures';
        state.expert_stats.set(keyText(agent), { ...stats, [counter]: Number(stats[counter]) + 1 });
      }
    }
  }

  #preparation(event: JsonObject, get: (key: string) => JsonValue): void {
    const state = this.#state;
    const agent = get('agent_id');
    switch (get('event_type')) {
      case 'task_quality_assessment':
        state.task_quality_assessed = true;
        return;
      case 'business_analyst_dispatched': {
        const task = required(event, 'task_id');
        state.active_business_analysts.set(keyText(agent), task);
        state.pending_expansions.set(keyText(task), agent);
        return;
      }
      case 'task_expanded': {
        const task = keyText(required(event, 'task_id'));
        state.pending_expansions.delete(task);
        state.expanded_tasks.set(task, {
          confidence: get('confidence'),
          expansion_summary: get('expansion_summary'),
          expanded_at: required(event, 'timestamp'),
        });
        return;
      }
      case 'agent_definition_created':
        state.agent_files_created.set(keyText(get('agent_type')), {
          definition_hash: get('definition_hash'),
          created_at: required(event, 'timestamp'),
        });
        return;
      case 'task_queued_for_conflict':
      case 'queue_timeout': {
        const retries = get('event_type') === 'queue_timeout' ? 1 : 0;
        const task = keyText(required(event, 'task_id'));
        state.queue_retry_tracker.set(
          task,
          Object.hasOwn(event, 'retry_count') ? get('retry_count') : retries,
        );
        return;
      }
      case 'task_unqueued':
        state.queue_retry_tracker.delete(keyText(required(event, 'task_id')));
    }
  }
}
