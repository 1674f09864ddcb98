import type { JsonValue } from '../../../base/json/value.ts';
import type { CoordinatorEvent } from '../read.ts';

/** What an event says about the use of the session: what is left of it, and when it begins again. */
export interface Usage {
  readonly utilisation?: JsonValue | undefined;
  readonly remaining: JsonValue | undefined;
  readonly resetsAt: JsonValue | undefined;
}

/** Facts that a state file repeats, and that belong to no task (coordinator.md §5). */
export class FactFold {
  /** By type of event: the last check of the usage, and the last pause. */
  readonly usage = new Map<string, Usage>();
  /** The hash of each definition of an agent, by type of agent. */
  readonly definitions = new Map<string, JsonValue>();
  /** Whether the quality of the tasks was assessed. */
  isAssessed = false;

  /** Adds an event. Returns the part that it changed: one of the names of the members, with the id of a definition. */
  add({ type, detail }: CoordinatorEvent): readonly [part: string, id?: string] | undefined {
    switch (type) {
      case 'usage_check':
        this.usage.set(type, {
          utilisation: detail('utilisation'),
          remaining: detail('remaining'),
          resetsAt: detail('resets_at'),
        });
        return ['usage'];
      case 'session_pause':
        this.usage.set(type, { remaining: detail('remaining_percent'), resetsAt: detail('resets_at') });
        return ['usage'];
      case 'agent_definition_created': {
        const agent = detail('agent_type');
        if (typeof agent !== 'string') return undefined;
        this.definitions.set(agent, detail('definition_hash') ?? null);
        return ['definitions', agent];
      }
      case 'task_quality_assessment':
        this.isAssessed = true;
        return ['assessment'];
      default:
        return undefined;
    }
  }
}
