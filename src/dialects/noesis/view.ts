import { valueAt } from '../../json/path.ts';
import { isObject, type JsonObject } from '../../json/value.ts';
import {
  type StateView,
  type Tone,
  tableSection,
  timeField,
  type ViewSection,
  viewCell,
  viewFields,
  viewText,
} from '../state-view.ts';

/** The mark of a step, by its status; other words get a question mark. */
const MARKS: ReadonlyMap<unknown, string> = new Map([
  ['pending', '·'],
  ['running', '▸'],
  ['done', '✓'],
  ['skipped', '–'],
  ['failed', '✗'],
  ['vetoed', '⊘'],
]);

const TONES: ReadonlyMap<unknown, Tone> = new Map<unknown, Tone>([
  ['done', 'good'],
  ['ok', 'good'],
  ['failed', 'bad'],
  ['error', 'bad'],
  ['vetoed', 'doubtful'],
  ['aborted', 'doubtful'],
  ['partial', 'doubtful'],
]);

const toneOf = (status: unknown): Tone => TONES.get(status) ?? 'muted';

function objectsAt(state: unknown, ...path: string[]): JsonObject[] {
  const value = valueAt(state, path);
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function head(state: unknown): ViewSection {
  const at = (...path: string[]) => valueAt(state, path);
  const status = at('outcomes', 'status');
  return {
    fields: [
      ...viewFields([['Episode', at('episode', 'id'), 'name']]),
      ...timeField('Started', at('episode', 'started_at')),
      ...viewFields([
        ['Using', at('episode', 'using')],
        ['Goal', at('goal', 'task')],
        ['Status', status, toneOf(status)],
        ['Summary', at('outcomes', 'summary')],
        ['Rationale', at('plan', 'rationale')],
      ]),
    ],
  };
}

function plan(state: unknown): ViewSection[] {
  const source = viewText(valueAt(state, ['plan', 'source']));
  return tableSection(
    `Plan (${source === '' ? 'source unknown' : source})`,
    [],
    objectsAt(state, 'plan', 'steps').map(({ id, kind, description, status = 'unknown' }) => [
      viewCell(MARKS.get(status) ?? '?', toneOf(status)),
      viewCell(id),
      viewCell(kind),
      // A plan that came as labels tells no status of its steps.
      viewCell(status),
      viewCell(description),
    ]),
  );
}

function actions(state: unknown): ViewSection[] {
  return tableSection(
    'Actions',
    [],
    objectsAt(state, 'outcomes', 'actions').map((action) => [
      viewCell(action['id']),
      viewCell(action['result_status'], TONES.get(action['result_status'])),
      viewCell(action['step_id']),
      viewCell(action['tool']),
      viewCell(action['input_excerpt']),
    ]),
  );
}

function beliefs(state: unknown): ViewSection[] {
  return tableSection(
    'Beliefs',
    [],
    objectsAt(state, 'beliefs').map(({ statement, confidence, provenance }) => [
      viewCell(confidence),
      viewCell(isObject(provenance) ? provenance['source'] : provenance, 'muted'),
      viewCell(statement),
    ]),
  );
}

function memory(state: unknown): ViewSection[] {
  const notes = viewText(valueAt(state, ['memory', 'scratchpad']));
  return [
    ...tableSection(
      'Facts',
      [],
      objectsAt(state, 'memory', 'facts').map(({ key, value }) => [viewCell(key), viewCell(value)]),
    ),
    ...(notes === '' ? [] : [{ title: 'Scratchpad', lines: [{ text: notes }] }]),
  ];
}

function links(state: unknown): ViewSection[] {
  const named = valueAt(state, ['links']);
  const rows = Object.entries(isObject(named) ? named : {});
  return tableSection(
    'Links',
    [],
    rows.map(([name, target]) => [viewCell(name), viewCell(target)]),
  );
}

/** A state, stored or projected: goal, status, plan with a mark per step, actions, beliefs, facts, links. */
export function viewOfState(state: unknown): StateView {
  return [
    head(state),
    ...plan(state),
    ...actions(state),
    ...beliefs(state),
    ...memory(state),
    ...links(state),
  ];
}
