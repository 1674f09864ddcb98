import type { TextIndex } from '../../log/text-index.ts';
import type { CheckedEvent, CoordinatorEvent } from './read.ts';
import { SKIPS_REVIEW } from './upcasters.ts';

/** An event for the run. It is only valid until the next one. */
export interface PlanEvent extends CheckedEvent {
  /** The ordinals of its agent and task among the texts of the run; -1 for none. */
  readonly agent: number;
  readonly task: number;
  /** Whether it was written in an older form. */
  readonly older: boolean;
}

/** A parsed event for the run. */
export function planEvent(
  event: CoordinatorEvent,
  { texts }: { readonly texts: TextIndex },
  older = false,
): PlanEvent {
  const ordinal = (id: string | undefined) => (id === undefined ? -1 : texts.intern(id));
  return { ...event, older, agent: ordinal(event.agentId), task: ordinal(event.taskId) };
}

/** Whether a developer hands over to an auditor: in older logs there were no critics. */
export const isReadyForAudit = ({ type, older, detail }: PlanEvent): boolean =>
  older && type === 'developer_ready_for_review' && detail(SKIPS_REVIEW) === true;

/** Who asked an expert. */
export function askerOf({ detail }: PlanEvent): string | undefined {
  const asker = detail('from_agent_id');
  return typeof asker === 'string' ? asker : undefined;
}
