import { clockFrom, type ExampleFiles, jsonLines, uuidOf } from './files.ts';

/** A plan of two tasks over two sessions, as the coordinator's documents say to log it (coordinator.md §2, §3). */

type Details = Readonly<Record<string, unknown>>;
type Draft = readonly [type: string, task: string | null, agent: string | null, details: Details];

const FIRST: readonly Draft[] = [
  ['session_start', null, null, { plan_file: 'plans/search_index.md', total_tasks: 2 }],
  [
    'task_quality_assessment',
    null,
    null,
    { implementable_count: 2, needs_expansion_count: 0, needs_clarification_count: 0 },
  ],
  ['developer_dispatched', '1-1-1', 'dev-1', { blocked_by: [] }],
  ['developer_ready_for_review', '1-1-1', 'dev-1', { files_modified: ['src/tokens.py'] }],
  ['critic_dispatched', '1-1-1', 'crit-1', { files_to_review: ['src/tokens.py'] }],
  ['critic_pass', '1-1-1', 'crit-1', { review_summary: 'small and clear' }],
  ['auditor_dispatched', '1-1-1', 'aud-1', { files_to_audit: ['src/tokens.py'] }],
  ['task_complete', '1-1-1', 'aud-1', { evidence_summary: '31 tests pass in both environments' }],
  ['developer_dispatched', '1-1-2', 'dev-2', { blocked_by: ['1-1-1'] }],
  ['developer_checkpoint', '1-1-2', 'dev-2', { status: 'testing', checkpoint: 'merge of segments' }],
  ['usage_check', null, null, { utilisation: 93, remaining: 7, resets_at: '2026-03-05T15:00:00Z' }],
  [
    'session_pause',
    null,
    null,
    { reason: 'usage_limit', remaining_percent: 7, resets_at: '2026-03-05T15:00:00Z' },
  ],
];

const SECOND: readonly Draft[] = [
  [
    'session_resumed',
    null,
    null,
    {
      previous_session_id: uuidOf('session 1'),
      state_saved_at: '2026-03-05T11:40:00Z',
      in_progress_tasks_count: 1,
      pending_audit_count: 0,
      completed_tasks_count: 1,
    },
  ],
  [
    'task_restarted_on_resume',
    '1-1-2',
    null,
    { previous_status: 'implementing', reason: 'session_interrupted' },
  ],
  ['developer_dispatched', '1-1-2', 'dev-3', { blocked_by: ['1-1-1'] }],
  ['developer_ready_for_review', '1-1-2', 'dev-3', { files_modified: ['src/segments.py'] }],
  ['critic_dispatched', '1-1-2', 'crit-2', { files_to_review: ['src/segments.py'] }],
  [
    'critic_fail',
    '1-1-2',
    'crit-2',
    { issues_found: ['no test of an empty segment'], required_fixes: ['add one'] },
  ],
  ['developer_dispatched', '1-1-2', 'dev-4', { blocked_by: ['1-1-1'] }],
  ['developer_ready_for_review', '1-1-2', 'dev-4', { files_modified: ['tests/test_segments.py'] }],
  ['critic_dispatched', '1-1-2', 'crit-3', { files_to_review: ['tests/test_segments.py'] }],
  ['critic_pass', '1-1-2', 'crit-3', { review_summary: 'covered' }],
  ['auditor_dispatched', '1-1-2', 'aud-2', { files_to_audit: ['src/segments.py'] }],
];

function events(): Record<string, unknown>[] {
  const tick = clockFrom('2026-03-05T10:00:00Z');
  const sessions = [FIRST, SECOND].flatMap((drafts, session) => drafts.map((draft) => ({ draft, session })));
  return sessions.map(({ draft: [type, task, agent, details], session }, index) => ({
    timestamp: tick(type === 'session_resumed' ? 12_000_000 : 240_000 + index * 7000),
    sequence: index + 1,
    session_id: uuidOf(`session ${session + 1}`),
    event_type: type,
    agent_id: agent,
    task_id: task,
    details,
  }));
}

const STATE = {
  session_id: uuidOf('session 2'),
  previous_session_id: uuidOf('session 1'),
  session_resume_count: 1,
  saved_at: '2026-03-05T15:58:00Z',
  plan_file: 'plans/search_index.md',
  completed_tasks: ['1-1-1'],
  in_progress_tasks: [{ task_id: '1-1-2', status: 'awaiting-audit' }],
  available_tasks: [],
};

/** The folder of a plan whose second task waits for its audit. */
export function coordinatorExample(): ExampleFiles {
  return new Map([
    ['event-log.jsonl', jsonLines(events())],
    ['state.json', `${JSON.stringify(STATE, null, 2)}\n`],
  ]);
}

/** The log after a crash in the middle of a line, on which the next session continued. */
export function damagedCoordinatorExample(): ExampleFiles {
  const lines = jsonLines(events()).split('\n');
  const torn = (lines[FIRST.length - 1] ?? '').slice(0, 141);
  lines.splice(FIRST.length - 1, 2, `${torn}${lines[FIRST.length]}`);
  return new Map([['event-log.jsonl', lines.join('\n')]]);
}
