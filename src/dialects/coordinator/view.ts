import { isObject } from '../../base/json/value.ts';
import { asObject, namedIn, objectIn, objectsIn } from '../kit/members.ts';
import {
  objectTable,
  type StateView,
  tableSection,
  timeOf,
  toned,
  type ViewSection,
  viewCell,
  viewFields,
  viewText,
} from '../kit/state-view.ts';
import { TONES } from './status.ts';

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
        ['Repaired by', agent],
        ['Attempt', attempt],
      ]),
    },
  ];
}

/** Shows a projected state. */
export function viewOfLog(projected: unknown): StateView {
  const sessions = objectsIn(projected, 'sessions');
  const plan = sessions.find(({ plan_file: file }) => file !== undefined)?.['plan_file'];
  return [
    { fields: viewFields([['Plan', plan, 'name']]) },
    ...objectTable('Tasks', namedIn(projected, 'tasks'), {
      TASK: 'name',
      STATUS: toned('status', TONES),
      AGENT: 'agent',
      SENT: 'attempts',
      SINCE: timeOf('since'),
    }),
    ...objectTable('Sessions', sessions, {
      SESSION: 'session_id',
      EVENTS: 'events',
      END: ({ end }) => viewCell(end ?? 'open', TONES.get(end)),
      STARTED: timeOf('started_at'),
    }),
    ...objectTable('Experts', namedIn(projected, 'experts'), {
      EXPERT: 'name',
      DONE: 'completions',
      FAILED: 'failures',
      DOMAIN: 'domain',
    }),
    ...infrastructure(projected),
    ...objectTable('Questions', objectsIn(projected, 'guidance'), {
      TASK: 'task',
      AGENT: 'agent',
      QUESTION: 'question',
      ANSWER: ({ response }) => viewCell(response ?? 'none yet', response == null ? 'doubtful' : undefined),
    }),
  ];
}

/** The ids of tasks in a list of ids or rows, or in a map by id. */
function idsOf(tasks: unknown): string[] {
  if (isObject(tasks)) return Object.keys(tasks);
  if (!Array.isArray(tasks)) return [];
  return tasks.map((task: unknown) => viewText(isObject(task) ? (task['task_id'] ?? task['id']) : task));
}

function ids(title: string, tasks: unknown): ViewSection[] {
  const text = idsOf(tasks).join(', ');
  return text === '' ? [] : [{ title, lines: [viewCell(text)] }];
}

/** Shows a stored state. */
export function viewOfState(stored: unknown): StateView {
  const state = asObject(stored);
  const blocked = Object.entries(objectIn(state, 'blocked_tasks'));
  return [
    {
      fields: viewFields([
        ['Session', state['session_id'], 'name'],
        ['Before', state['previous_session_id']],
        ['Resumes', state['session_resume_count']],
        ['Plan', state['plan_file']],
        ['Blocked by', state['infrastructure_issue'], 'bad'],
        ['Saved', state['saved_at'], 'time'],
      ]),
    },
    ...objectTable('In progress', objectsIn(state, 'in_progress_tasks'), {
      TASK: 'task_id',
      STATUS: toned('status', TONES),
      AGENT: 'agent_id',
      SINCE: timeOf('dispatched_at'),
    }),
    ...ids('Complete', state['completed_tasks']),
    ...ids('Available', state['available_tasks']),
    ...ids('Waiting for review', state['pending_critique']),
    ...ids('Waiting for audit', state['pending_audit']),
    ...tableSection(
      'Blocked',
      ['TASK', 'WAITS FOR'],
      blocked.map((cells) => cells.map((cell) => viewCell(cell))),
    ),
  ];
}
