import { isObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { asObject, objectIn, objectsIn, textIn } from '../kit/members.ts';
import {
  objectTable,
  type StateView,
  tableSection,
  toned,
  type ViewText,
  viewCell,
  viewFields,
} from '../kit/state-view.ts';
import { TONES } from './phase.ts';
import { STATE_PARTS } from './projection/workflow.ts';

const YES_OR_NO: ReadonlyMap<unknown, string> = new Map([
  [true, 'yes'],
  [false, 'no'],
]);

/** Rows of name and value, without empty members. A review or worktree is shown by its status. */
function rowsOf(members: Readonly<Record<string, JsonValue | undefined>>): ViewText[][] {
  return Object.entries(members).flatMap(([name, member]) => {
    const cell = viewCell(textIn(member, 'status') ?? member);
    return cell.text === '' ? [] : [[viewCell(name), cell]];
  });
}

/** Members that other sections show, or that do not matter to a reader. */
const SHOWN: ReadonlySet<string> = new Set([...STATE_PARTS, 'version']);

/** The members that only some workflows have, without the program's bookkeeping. */
function otherMembers(document: JsonObject): JsonObject {
  const others = Object.entries(document).filter(
    ([name, value]) =>
      !SHOWN.has(name) && !name.startsWith('_') && !(isObject(value) && Object.keys(value).length === 0),
  );
  return Object.fromEntries(others);
}

/** Shows a stored or projected state of a workflow. */
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
