import { valueAt } from '../../../base/json/path.ts';
import { isObject, type JsonObject } from '../../../base/json/value.ts';
import { formatDuration } from '../../../base/time/duration.ts';
import {
  objectTable,
  type StateView,
  type Tone,
  tableSection,
  timeOf,
  toned,
  type ViewSection,
  viewCell,
  viewFields,
  viewText,
} from '../../kit/state-view.ts';
import { DEFAULT_INTUITION_MODE } from '../event/vocabulary.ts';

/** The mark of a step by status; a question mark for unknown ones. */
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
    fields: viewFields([
      ['Error', at('outcomes', 'error'), 'bad'],
      ['Episode', at('episode', 'id'), 'name'],
      ['Started', at('episode', 'started_at'), 'time'],
      ['Seed', at('episode', 'seed')],
      ['Tags', filled(at('episode', 'tags'))],
      ['Using', at('episode', 'using')],
      ['Intuition', intuitionMode(state)],
      ['Goal', at('goal', 'task')],
      ['Status', status, toneOf(status)],
      ['Summary', at('outcomes', 'summary')],
      ['Metrics', filled(at('outcomes', 'metrics'))],
      ['Artifacts', filled(at('outcomes', 'artifacts'))],
    ]),
  };
}

/** Undefined for an empty object or list. */
const filled = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0 ? undefined : value;

/** The mode of a stored state, with its default. A projected state does not have one. */
function intuitionMode(state: unknown): unknown {
  const stored = valueAt(state, ['episode', 'intuition_mode']);
  if (stored !== undefined) return stored;
  const isStored = valueAt(state, ['state_schema_version']) !== undefined;
  return isStored ? `${DEFAULT_INTUITION_MODE} (default)` : undefined;
}

/** The members of an object that no other part of a view shows. */
const others = (value: unknown, shown: readonly string[]): [name: string, value: unknown][] =>
  isObject(value)
    ? Object.entries(value).filter(([name, one]) => !shown.includes(name) && viewText(filled(one)) !== '')
    : [];

/** The members of objects that a table before it does not show, each in a row. `name`: the member that names an object. */
function details(
  title: string,
  rows: readonly JsonObject[],
  shown: readonly string[],
  name = 'id',
): ViewSection[] {
  return tableSection(
    title,
    [],
    rows.flatMap((row) =>
      others(row, shown).map(([key, value]) => [
        viewCell(row[name]),
        viewCell(key, 'muted'),
        viewCell(value),
      ]),
    ),
  );
}

function plan(state: unknown): ViewSection[] {
  const source = viewText(valueAt(state, ['plan', 'source']));
  const title = `Plan (${source === '' ? 'source unknown' : source})`;
  const fields = viewFields([
    ['Rationale', valueAt(state, ['plan', 'rationale'])],
    ['Updated', valueAt(state, ['plan', 'updated_at']), 'time'],
  ]);
  const steps = objectsAt(state, 'plan', 'steps');
  const [table] = objectTable(title, steps, [
    ({ status }) => viewCell(MARKS.get(status) ?? '?', toneOf(status)),
    'id',
    'kind',
    // A plan from labels has no statuses of steps.
    ({ status = 'unknown' }) => viewCell(status),
    'description',
  ]);
  return [
    ...(table || fields.length > 0 ? [{ title, ...table, ...(fields.length > 0 && { fields }) }] : []),
    ...details('Steps', steps, ['id', 'kind', 'status', 'description']),
  ];
}

function actions(state: unknown): ViewSection[] {
  const all = objectsAt(state, 'outcomes', 'actions');
  return [
    ...objectTable('Actions', all, [
      'id',
      toned('result_status', TONES),
      timeOf('timestamp'),
      ({ kind }) => viewCell(kind, 'muted'),
      ({ duration_ms: ms }) => viewCell(typeof ms === 'number' ? formatDuration(ms) : ms),
      'step_id',
      'tool',
      'input_excerpt',
    ]),
    ...details('More about the actions', all, [
      'id',
      'kind',
      'result_status',
      'timestamp',
      'duration_ms',
      'step_id',
      'tool',
      'input_excerpt',
    ]),
  ];
}

function beliefs(state: unknown): ViewSection[] {
  const all = objectsAt(state, 'beliefs');
  return [
    ...objectTable('Beliefs', all, [
      'confidence',
      ({ provenance }) => viewCell(isObject(provenance) ? provenance['source'] : provenance, 'muted'),
      'statement',
    ]),
    ...details(
      'More about the beliefs',
      all.map(({ provenance, ...belief }) =>
        isObject(provenance) && others(provenance, ['source']).length > 0
          ? { ...belief, provenance }
          : belief,
      ),
      ['confidence', 'statement'],
      'statement',
    ),
  ];
}

function memory(state: unknown): ViewSection[] {
  const notes = viewText(valueAt(state, ['memory', 'scratchpad']));
  const facts = objectsAt(state, 'memory', 'facts');
  return [
    ...objectTable('Facts', facts, ['key', 'value']),
    ...details('More about the facts', facts, ['key', 'value'], 'key'),
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

/** The members that the other sections show, by the object that has them. */
const SHOWN: readonly (readonly [path: readonly string[], names: readonly string[]])[] = [
  [[], ['episode', 'goal', 'beliefs', 'plan', 'memory', 'outcomes', 'links']],
  [['episode'], ['id', 'started_at', 'seed', 'tags', 'using', 'intuition_mode']],
  [['goal'], ['task']],
  [['plan'], ['steps', 'source', 'updated_at', 'rationale']],
  [['memory'], ['facts', 'scratchpad']],
  [['outcomes'], ['error', 'status', 'summary', 'metrics', 'artifacts', 'actions']],
];

/** Every other member, so that nothing of a state is left out. */
function rest(state: unknown): ViewSection[] {
  const rows = SHOWN.flatMap(([path, names]) =>
    others(path.length === 0 ? state : valueAt(state, path), names).map(([name, value]) => [
      viewCell([...path, name].join('.'), 'muted'),
      viewCell(value),
    ]),
  );
  return tableSection('Other fields', [], rows);
}

/** Shows a stored or projected state. */
export function viewOfState(state: unknown): StateView {
  return [
    head(state),
    ...plan(state),
    ...actions(state),
    ...beliefs(state),
    ...memory(state),
    ...links(state),
    ...rest(state),
  ];
}
