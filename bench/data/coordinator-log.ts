import { uuid } from '../../test/support/simulator/ids.ts';
import type { Source } from './source.ts';

const plan = 'plans/search_index.md';
const tasksPerSession = 60;

interface Draft {
  readonly type: string;
  readonly task?: string;
  readonly agent?: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The events of a task, with a second round if the critic finds a fault. */
function* taskEvents({ random, words }: Source, task: string): Generator<Draft> {
  const agent = (role: string) => `${role}-${random.hex(8)}`;
  const path = `src/${words(1)}-${task}.py`;
  for (let fails = random.int(3); ; fails -= 1) {
    const developer = agent('dev');
    yield { type: 'developer_dispatched', task, agent: developer, details: { blocked_by: [] } };
    const checkpoint = { status: 'testing', checkpoint: words(24) };
    yield { type: 'developer_checkpoint', task, agent: developer, details: checkpoint };
    const files_modified = [path, `tests/test_${task}.py`];
    yield { type: 'developer_ready_for_review', task, agent: developer, details: { files_modified } };
    const critic = agent('crit');
    yield { type: 'critic_dispatched', task, agent: critic, details: { files_to_review: files_modified } };
    if (fails > 0) {
      const details = { issues_found: [words(14)], required_fixes: [words(10)] };
      yield { type: 'critic_fail', task, agent: critic, details };
      continue;
    }
    yield { type: 'critic_pass', task, agent: critic, details: { review_summary: words(20) } };
    const auditor = agent('aud');
    yield { type: 'auditor_dispatched', task, agent: auditor, details: { files_to_audit: files_modified } };
    yield { type: 'task_complete', task, agent: auditor, details: { evidence_summary: words(24) } };
    return;
  }
}

/** The events of a session besides its tasks: its start, reports of usage, and pauses. */
const opening = (session: number, previous: string, now: string): Draft =>
  session === 1
    ? { type: 'session_start', details: { plan_file: plan, total_tasks: 1_000_000 } }
    : {
        type: 'session_resumed',
        details: {
          previous_session_id: previous,
          state_saved_at: now,
          in_progress_tasks_count: 0,
          pending_audit_count: 0,
          completed_tasks_count: (session - 1) * tasksPerSession,
        },
      };

const pause = (now: string): Draft => ({
  type: 'session_pause',
  details: { reason: 'usage_limit', remaining_percent: 7, resets_at: now },
});

/** One plan over many sessions, until a stop is requested. */
export function* coordinatorEvents(source: Source): Generator<object, void, boolean> {
  const { random, now } = source;
  let sequence = 0;
  let stop = false;
  let id = '';
  const event = ({ type, task, agent, details }: Draft) => {
    sequence += 1;
    return {
      timestamp: now(),
      sequence,
      session_id: id,
      event_type: type,
      agent_id: agent ?? null,
      task_id: task ?? null,
      details,
    };
  };
  for (let session = 1; !stop; session += 1) {
    const previous = id;
    id = uuid(random);
    yield event(opening(session, previous, now()));
    for (let number = 1; number <= tasksPerSession; number += 1) {
      if (number % 10 === 0) {
        const details = { utilisation: number, remaining: 100 - number, resets_at: now() };
        yield event({ type: 'usage_check', details });
      }
      for (const draft of taskEvents(source, `${session}-1-${number}`)) yield event(draft);
    }
    stop = yield event(pause(now()));
  }
}
