import { valueAt } from '../../../base/json/path.ts';
import { isObject, type JsonObject } from '../../../base/json/value.ts';
import {
  objectTable,
  type StateView,
  type Tone,
  tableSection,
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

/** Members that do not fit into the table, each in a row. */
function details(title: string, rows: readonly JsonObject[], keys: readonly string[]): ViewSection[] {
  return tableSection(
    title,
    [],
    rows.flatMap((row) =>
      keys
        .filter((key) => viewText(filled(row[key])) !== '')
        .map((key) => [viewCell(row['id']), viewCell(key, 'muted'), viewCell(row[key])]),
    ),
  );
}

function plan(state: unknown): ViewSection[] {
  const source = viewText(valueAt(state, ['plan', 'source']));
  const title = `Plan (${source === '' ? 'source unknown' : source})`;
  const fields = viewFields([['Rationale', valueAt(state, ['plan', 'rationale'])]]);
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
    ...details('Steps', steps, ['rationale', 'inputs', 'outputs', 'depends_on']),
  ];
}

function actions(state: unknown): ViewSection[] {
  const all = objectsAt(state, 'outcomes', 'actions');
  return [
    ...objectTable('Actions', all, ['id', toned('result_status', TONES), 'step_id', 'tool', 'input_excerpt']),
    ...details('Inputs and outputs', all, ['input', 'output', 'result_artifacts']),
  ];
}

function beliefs(state: unknown): ViewSection[] {
  return objectTable('Beliefs', objectsAt(state, 'beliefs'), [
    'confidence',
    ({ provenance }) => viewCell(isObject(provenance) ? provenance['source'] : provenance, 'muted'),
    'statement',
  ]);
}

function memory(state: unknown): ViewSection[] {
  const notes = viewText(valueAt(state, ['memory', 'scratchpad']));
  return [
    ...objectTable('Facts', objectsAt(state, 'memory', 'facts'), ['key', 'value']),
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

/** Shows a stored or projected state. */
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
