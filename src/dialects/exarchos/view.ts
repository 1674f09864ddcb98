import { isObject, type JsonObject } from '../../json/value.ts';
import {
  type StateView,
  type Tone,
  tableSection,
  timeField,
  type ViewText,
  viewCell,
  viewFields,
} from '../state-view.ts';

const TONES: ReadonlyMap<unknown, Tone> = new Map<unknown, Tone>([
  ['completed', 'good'],
  ['complete', 'good'],
  ['cancelled', 'doubtful'],
  ['failed', 'bad'],
]);

const objectsIn = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** Of a review or a worktree its status, where it has one; anything else as it is. */
function statusOf(member: unknown): unknown {
  return isObject(member) && typeof member['status'] === 'string' ? member['status'] : member;
}

/** The members of an object that say something, as rows of a name and a value. */
function rowsOf(value: unknown, tone?: Tone): ViewText[][] {
  return Object.entries(isObject(value) ? value : {})
    .map(([name, member]) => [viewCell(name, tone), viewCell(statusOf(member))])
    .filter(([, member]) => member?.text !== '');
}

/** A workflow's state, stored or projected: its feature, phase, artifacts, tasks, worktrees and reviews. */
export function viewOfWorkflow(state: unknown): StateView {
  const document = isObject(state) ? state : {};
  const { phase, oneshot, synthesis } = document;
  const policy = isObject(oneshot) ? oneshot : {};
  const optedIn = policy['synthesisRequested'];
  const { prUrl, mergedBranches, integrationBranch } = isObject(synthesis) ? synthesis : {};
  return [
    {
      fields: [
        ...viewFields([
          ['Feature', document['featureId'], 'name'],
          ['Type', document['workflowType']],
          ['Phase', phase, TONES.get(phase)],
          ['Synthesis', policy['synthesisPolicy']],
          ['Opted in', typeof optedIn === 'boolean' ? (optedIn ? 'yes' : 'no') : undefined],
        ]),
        ...timeField('Created', document['createdAt']),
        ...timeField('Updated', document['updatedAt']),
      ],
    },
    ...tableSection(
      'Tasks',
      ['ID', 'STATUS', 'BRANCH', 'TITLE'],
      objectsIn(document['tasks']).map(({ id, status, branch, title }) => [
        viewCell(id),
        viewCell(status, TONES.get(status)),
        viewCell(branch),
        viewCell(title),
      ]),
    ),
    ...tableSection('Artifacts', [], rowsOf(document['artifacts'])),
    ...tableSection('Worktrees', [], rowsOf(document['worktrees'])),
    ...tableSection('Reviews', [], rowsOf(document['reviews'])),
    ...tableSection(
      'Synthesis',
      [],
      rowsOf({
        'integration branch': integrationBranch ?? null,
        'pull request': prUrl ?? null,
        merged: mergedBranches ?? null,
      }),
    ),
  ];
}
