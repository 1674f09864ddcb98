import { type JsonObject, type JsonValue, jsonEqual } from '../../../../src/base/json/value.ts';
import { optional } from './python.ts';

/**
 * The second reference algorithm, which rebuilds only the two queues and runs last when a session resumes. Unlike the
 * first, a dispatch removes nothing: a task whose critic or auditor was working is queued again (coordinator.md §5).
 */
export class OriginQueues {
  #critique: JsonValue[] = [];
  #audit: JsonValue[] = [];

  add(event: JsonObject): void {
    const task = optional(event, 'task_id');
    const without = (list: readonly JsonValue[]) => list.filter((item) => !jsonEqual(item, task));
    switch (optional(event, 'event_type')) {
      case 'developer_ready_for_review':
        this.#critique = [...without(this.#critique), task];
        return;
      case 'critic_pass':
        this.#critique = without(this.#critique);
        this.#audit = [...without(this.#audit), task];
        return;
      case 'critic_fail':
        this.#critique = without(this.#critique);
        return;
      case 'auditor_fail':
      case 'task_complete':
        this.#audit = without(this.#audit);
    }
  }

  result(): JsonObject {
    return { pending_critique: this.#critique, pending_audit: this.#audit };
  }
}
