import { isObject, type JsonObject } from '../../json/value.ts';
import { textOf } from '../../json/write.ts';
import {
  type StateView,
  type Tone,
  tableSection,
  timeCell,
  timeField,
  type ViewSection,
  viewCell,
  viewFields,
} from '../state-view.ts';

const TONES: ReadonlyMap<unknown, Tone> = new Map<unknown, Tone>([
  ['complete', 'good'],
  ['blocked', 'bad'],
  ['failed', 'bad'],
  ['awaiting_guidance', 'doubtful'],
  ['awaiting-divine-guidance', 'doubtful'],
  ['paused', 'doubtful'],
]);

const objectsIn = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
const entriesIn = (value: unknown): [string, unknown][] => Object.entries(isObject(value) ? value : {});

function infrastructure(value: unknown): ViewSection[] {
  const { blocked, issue, reported_by: reporter, remediation } = isObject(value) ? value : {};
  const { agent, attempt } = isObject(remediation) ? remediation : {};
  if (blocked !== true && remediation == null) return [];
  return [
    {
      title: 'Infrastructure',
      fields: viewFields([
        ['State', blocked === true ? 'blocked' : 'working', blocked === true ? 'bad' : 'good'],
        ['Issue', issue],
        ['Reporter', reporter],
        ['Mended by', agent],
        ['Attempt', attempt],
      ]),
    },
  ];
}

/** What the log says: tasks, sessions, experts, infrastructure, questions. */
export function viewOfLog(projected: unknown): StateView {
  const { tasks, sessions, experts, infrastructure: state, guidance } = isObject(projected) ? projected : {};
  const plan = objectsIn(sessions).find(({ plan_file: file }) => file !== undefined)?.['plan_file'];
  return [
    { fields: viewFields([['Plan', plan, 'name']]) },
    ...tableSection(
      'Tasks',
      ['TASK', 'STATUS', 'AGENT', 'SENT', 'SINCE'],
      entriesIn(tasks).map(([id, row]) => {
        const { status, agent, attempts, since } = isObject(row) ? row : {};
        return [
          viewCell(id),
          viewCell(status, TONES.get(status)),
          viewCell(agent),
          viewCell(attempts),
          timeCell(since),
        ];
      }),
    ),
    ...tableSection(
      'Sessions',
      ['SESSION', 'EVENTS', 'END', 'STARTED'],
      objectsIn(sessions).map((row) => [
        viewCell(row['session_id']),
        viewCell(row['events']),
        viewCell(row['end'] ?? 'open', TONES.get(row['end'])),
        timeCell(row['started_at']),
      ]),
    ),
    ...tableSection(
      'Experts',
      ['EXPERT', 'DONE', 'FAILED', 'DOMAIN'],
      entriesIn(experts).map(([id, row]) => {
        const { completions, failures, domain } = isObject(row) ? row : {};
        return [viewCell(id), viewCell(completions), viewCell(failures), viewCell(domain)];
      }),
    ),
    ...infrastructure(state),
    ...tableSection(
      'Questions',
      ['TASK', 'AGENT', 'QUESTION', 'ANSWER'],
      objectsIn(guidance).map(({ task, agent, question, response }) => [
        viewCell(task),
        viewCell(agent),
        viewCell(question),
        viewCell(response ?? 'none yet', response == null ? 'doubtful' : undefined),
      ]),
    ),
  ];
}

const ids = (title: string, value: unknown): ViewSection[] =>
  Array.isArray(value) && value.length > 0 ? [{ title, lines: [viewCell(value.map(idOf).join(', '))] }] : [];

const idOf = (row: unknown): string => textOf(isObject(row) ? (row['task_id'] ?? row['id']) : row);

/** The stored state: its session, and the tasks by how far they have come. */
export function viewOfState(stored: unknown): StateView {
  const state = isObject(stored) ? stored : {};
  return [
    {
      fields: [
        ...viewFields([
          ['Session', state['session_id'], 'name'],
          ['Before', state['previous_session_id']],
          ['Resumes', state['session_resume_count']],
          ['Plan', state['plan_file']],
          ['Blocked by', state['infrastructure_issue'], 'bad'],
        ]),
        ...timeField('Saved', state['saved_at']),
      ],
    },
    ...tableSection(
      'In progress',
      ['TASK', 'STATUS', 'AGENT', 'SINCE'],
      objectsIn(state['in_progress_tasks']).map((row) => [
        viewCell(row['task_id']),
        viewCell(row['status'], TONES.get(row['status'])),
        viewCell(row['agent_id']),
        timeCell(row['dispatched_at']),
      ]),
    ),
    ...ids('Complete', state['completed_tasks']),
    ...ids('Available', state['available_tasks']),
    ...ids('Waiting for review', state['pending_critique']),
    ...ids('Waiting for audit', state['pending_audit']),
    ...tableSection(
      'Blocked',
      ['TASK', 'WAITS FOR'],
      entriesIn(state['blocked_tasks']).map(([id, blockers]) => [viewCell(id), viewCell(blockers)]),
    ),
  ];
}
