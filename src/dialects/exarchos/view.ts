import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { asObject, objectIn, objectsIn, textIn } from '../excerpt.ts';
import {
  objectTable,
  type StateView,
  tableSection,
  toned,
  type ViewText,
  viewCell,
  viewFields,
} from '../state-view.ts';
import { TONES } from './phase.ts';
import { STATE_PARTS } from './projection/workflow.ts';

const YES_OR_NO: ReadonlyMap<unknown, string> = new Map([
  [true, 'yes'],
  [false, 'no'],
]);

/** Non-empty members as rows of name and value; for a review or worktree, its status. */
function rowsOf(members: Readonly<Record<string, JsonValue | undefined>>): ViewText[][] {
  return Object.entries(members).flatMap(([name, member]) => {
    const cell = viewCell(textIn(member, 'status') ?? member);
    return cell.text === '' ? [] : [[viewCell(name), cell]];
  });
}

/** Members that a section of the view shows, or that say nothing about the workflow. */
const SHOWN: ReadonlySet<string> = new Set([...STATE_PARTS, 'version']);

/** Members that only some workflows have, such as planReview, except the bookkeeping of the program. */
function otherMembers(document: JsonObject): JsonObject {
  const others = Object.entries(document).filter(
    ([name, value]) =>
      !SHOWN.has(name) && !name.startsWith('_') && !(isObject(value) && Object.keys(value).length === 0),
  );
  return Object.fromEntries(others);
}

/** A workflow's state, stored or projected: its feature, phase, artifacts, tasks, worktrees, reviews and the rest. */
export function viewOfWorkflow(state: unknown): StateView {
  const document = asObject(state);
  const { phase } = document;
  const { synthesisPolicy, synthesisRequested } = objectIn(document, 'oneshot');
  const { prUrl, mergedBranches, integrationBranch } = objectIn(document, 'synthesis');
  return [
    {
      fields: viewFields([
        ['Feature', document['featureId'], 'name'],
        ['Type', document['workflowType']],
        ['Phase', phase, TONES.get(phase)],
        ['Synthesis', synthesisPolicy],
        ['Opted in', YES_OR_NO.get(synthesisRequested)],
        ['Created', document['createdAt'], 'time'],
        ['Updated', document['updatedAt'], 'time'],
      ]),
    },
    ...objectTable('Tasks', objectsIn(document, 'tasks'), {
      ID: 'id',
      STATUS: toned('status', TONES),
      BRANCH: 'branch',
      TITLE: 'title',
    }),
    ...tableSection('Artifacts', [], rowsOf(objectIn(document, 'artifacts'))),
    ...tableSection('Worktrees', [], rowsOf(objectIn(document, 'worktrees'))),
    ...tableSection('Reviews', [], rowsOf(objectIn(document, 'reviews'))),
    ...tableSection(
      'Synthesis',
      [],
      rowsOf({ 'integration branch': integrationBranch, 'pull request': prUrl, merged: mergedBranches }),
    ),
    ...tableSection('More', [], rowsOf(otherMembers(document))),
  ];
}
