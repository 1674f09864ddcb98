import { isObject } from '../../json/value.ts';
import { asObject, namedIn, objectIn, objectsIn } from '../excerpt.ts';
import {
  type StateView,
  type Tone,
  tableSection,
  timeCell,
  timeField,
  type ViewSection,
  viewCell,
  viewFields,
  viewText,
} from '../state-view.ts';

const TONES: ReadonlyMap<unknown, Tone> = new Map<unknown, Tone>([
  ['complete', 'good'],
  ['blocked', 'bad'],
  ['failed', 'bad'],
  ['awaiting_guidance', 'doubtful'],
  ['awaiting-divine-guidance', 'doubtful'],
  ['paused', 'doubtful'],
]);

function infrastructure(projected: unknown): ViewSection[] {
  const state = objectIn(projected, 'infrastructure');
  const { blocked, issue, reported_by: reporter, remediation } = state;
  const { agent, attempt } = objectIn(state, 'remediation');
  if (blocked !== true && remediation == null) return [];
  return [
    {
      title: 'Infrastructure',
      fields: viewFields([
        blocked === true ? ['State', 'blocked', 'bad'] : ['State', 'working', 'good'],
        ['Issue', issue],
        ['Reporter', reporter],
        ['Mended by', agent],
        ['Attempt', attempt],
      ]),
    },
  ];
}

/** A projected state for people: tasks, sessions, experts, infrastructure, questions. */
export function viewOfLog(projected: unknown): StateView {
  const sessions = objectsIn(projected, 'sessions');
  const plan = sessions.find(({ plan_file: file }) => file !== undefined)?.['plan_file'];
  return [
    { fields: viewFields([['Plan', plan, 'name']]) },
    ...tableSection(
      'Tasks',
      ['TASK', 'STATUS', 'AGENT', 'SENT', 'SINCE'],
      namedIn(projected, 'tasks').map(([id, { status, agent, attempts, since }]) => [
        viewCell(id),
        viewCell(status, TONES.get(status)),
        viewCell(agent),
        viewCell(attempts),
        timeCell(since),
      ]),
    ),
    ...tableSection(
      'Sessions',
      ['SESSION', 'EVENTS', 'END', 'STARTED'],
      sessions.map((row) => [
        viewCell(row['session_id']),
        viewCell(row['events']),
        viewCell(row['end'] ?? 'open', TONES.get(row['end'])),
        timeCell(row['started_at']),
      ]),
    ),
    ...tableSection(
      'Experts',
      ['EXPERT', 'DONE', 'FAILED', 'DOMAIN'],
      namedIn(projected, 'experts').map(([id, { completions, failures, domain }]) => [
        viewCell(id),
        viewCell(completions),
        viewCell(failures),
        viewCell(domain),
      ]),
    ),
    ...infrastructure(projected),
    ...tableSection(
      'Questions',
      ['TASK', 'AGENT', 'QUESTION', 'ANSWER'],
      objectsIn(projected, 'guidance').map(({ task, agent, question, response }) => [
        viewCell(task),
        viewCell(agent),
        viewCell(question),
        viewCell(response ?? 'none yet', response == null ? 'doubtful' : undefined),
      ]),
    ),
  ];
}

/** The ids of tasks: in a list each is an id or a row that has one; some documents have a map by id. */
function idsOf(tasks: unknown): string[] {
  if (isObject(tasks)) return Object.keys(tasks);
  if (!Array.isArray(tasks)) return [];
  return tasks.map((task: unknown) => viewText(isObject(task) ? (task['task_id'] ?? task['id']) : task));
}

function ids(title: string, tasks: unknown): ViewSection[] {
  const text = idsOf(tasks).join(', ');
  return text === '' ? [] : [{ title, lines: [viewCell(text)] }];
}

/** The stored state: its session, and the tasks by how far they have come. */
export function viewOfState(stored: unknown): StateView {
  const state = asObject(stored);
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
      objectsIn(state, 'in_progress_tasks').map((row) => [
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
      Object.entries(objectIn(state, 'blocked_tasks')).map(([id, blockers]) => [
        viewCell(id),
        viewCell(blockers),
      ]),
    ),
  ];
}
