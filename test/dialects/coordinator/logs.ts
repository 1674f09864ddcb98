import type { JsonObject, JsonValue } from '../../../src/base/json/value.ts';
import { CoordinatorProjector } from '../../../src/dialects/coordinator/projection.ts';
import { TYPED_DETAILS } from '../../../src/dialects/coordinator/schema/details.ts';
import type { Projection } from '../../../src/findings/projection/projector.ts';
import { OriginFold } from '../../support/origin/coordinator/fold.ts';
import { OriginQueues } from '../../support/origin/coordinator/queues.ts';

/** An event of a type; `task_id` and `agent_id` of the details go to the envelope, as the seed has them. */
export function happened(type: string, details: JsonObject = {}, envelope: JsonObject = {}): JsonObject {
  const { task_id = null, agent_id = null, ...rest } = details;
  return { event_type: type, agent_id, task_id, details: rest, ...envelope };
}

export const start = happened('session_start', { plan_file: 'p.md', total_tasks: 1 });

/** `tasks`: how many tasks are in progress and complete. */
export const resume = (
  previous: string | null,
  session: string,
  tasks: { readonly open?: number; readonly complete?: number } = {},
): JsonObject =>
  happened(
    'session_resumed',
    {
      previous_session_id: previous,
      state_saved_at: '2026-01-17T09:00:00Z',
      in_progress_tasks_count: tasks.open ?? 0,
      pending_audit_count: 0,
      completed_tasks_count: tasks.complete ?? 0,
    },
    { session_id: session },
  );

export const dispatch = (task: string, agent: string): JsonObject =>
  happened('developer_dispatched', { task_id: task, agent_id: agent, blocked_by: [] });

export const complete = (task: string, agent = 'aud'): JsonObject =>
  happened('task_complete', { task_id: task, agent_id: agent, evidence_summary: 'green' });

/** A task from its dispatch to its completion. */
export const wholeTask = (task: string): JsonObject[] => [
  dispatch(task, `dev-${task}`),
  happened('developer_ready_for_review', { task_id: task, agent_id: `dev-${task}`, files_modified: [] }),
  happened('critic_dispatched', { task_id: task, agent_id: `crit-${task}`, files_to_review: [] }),
  happened('critic_pass', { task_id: task, agent_id: `crit-${task}`, review_summary: 'ok' }),
  happened('auditor_dispatched', { task_id: task, agent_id: `aud-${task}`, files_to_audit: [] }),
  complete(task, `aud-${task}`),
];

/** Events with whatever they do not say themselves: numbers from 1, times a second apart, one session. */
export function log(events: readonly JsonObject[]): JsonObject[] {
  return events.map((event, index) => ({
    timestamp: `2026-01-17T09:${String(Math.floor(index / 60)).padStart(2, '0')}:${String(index % 60).padStart(2, '0')}Z`,
    sequence: index + 1,
    session_id: 's1',
    ...event,
  }));
}

/** The result of the projector for these events. */
export function project(events: readonly JsonObject[]): Projection {
  const projector = new CoordinatorProjector();
  for (const [index, event] of events.entries()) projector.addEvent(event, index + 1);
  return projector.result();
}

/** The result of the reference algorithms for these events, including known bugs. */
export function originAnswerTo(events: readonly JsonObject[]): JsonObject {
  const fold = new OriginFold();
  const queues = new OriginQueues();
  for (const event of events) {
    fold.add(event);
    queues.add(event);
  }
  return { state_diff_from_empty: fold.difference(), pending_queues: queues.result() };
}

/** A value that a detail of this name may have. */
export const detailOf = (name: string): JsonValue => {
  const values: readonly JsonValue[] = [name, true, [], 1];
  return values.find((value) => TYPED_DETAILS.get(name)?.safeParse(value).success ?? true) ?? name;
};
