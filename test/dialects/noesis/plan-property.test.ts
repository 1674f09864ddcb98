import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { projectPlanState } from '../../../src/dialects/noesis/plan/plan-fold.ts';

// The rules of noesis.md §5.1 once more, with an empty plan as a plan, as a search backwards and a fold forwards, from the page alone.

type Fields = Record<string, unknown>;

const KINDS = 'detect analyze plan act verify review'.split(' ');
const STATUSES = 'pending running done skipped failed vetoed'.split(' ');

const isFields = (value: unknown): value is Fields =>
  Object.prototype.toString.call(value) === '[object Object]';
const full = (value: unknown) => typeof value === 'string' && value.length > 0;
const among = (words: string[], word: unknown, otherwise: string) =>
  words.some((one) => one === word) ? word : otherwise;

function step(item: unknown, position: number): Fields | null {
  if (!isFields(item)) return null;
  const made: Fields = {
    id: full(item['id']) ? item['id'] : `step-${position}`,
    kind: among(KINDS, item['kind'], 'plan'),
    description: full(item['description']) ? item['description'] : '',
    status: among(STATUSES, item['status'], 'pending'),
  };
  if (full(item['rationale'])) made['rationale'] = item['rationale'];
  const wanted = Array.isArray(item['depends_on'])
    ? item['depends_on'].filter((one) => typeof one === 'string')
    : [];
  if (wanted.length > 0) made['depends_on'] = wanted.filter((one, at) => wanted.indexOf(one) === at);
  for (const key of ['inputs', 'outputs'])
    if (isFields(item[key]) && Object.keys(item[key] as Fields).length > 0) made[key] = item[key];
  for (const key in item) if (/^x-/.test(key)) made[key] = item[key];
  return made;
}

function label(item: unknown, position: number): Fields | null {
  if (typeof item !== 'string') return null;
  const [, kind, rest] = /^([^:]*):(.*)$/s.exec(item) ?? [null, undefined, item];
  return { id: `step-${position}`, kind: among(KINDS, kind, 'plan'), description: rest, status: 'pending' };
}

function project(events: Fields[]): Fields | null {
  let at = events.length - 1;
  while (at >= 0 && events[at]?.['phase'] !== 'plan') at -= 1;
  const planned = events[at];
  const payload = planned?.['payload'];
  if (planned === undefined || !isFields(payload)) return null;
  const [items, read] = Array.isArray(payload['step_records'])
    ? [payload['step_records'], step]
    : [payload['steps'], label];
  if (!Array.isArray(items)) return null;
  const steps = items.map((item, index) => read(item, index + 1)).filter((one) => one !== null);
  for (const later of events.slice(at + 1)) {
    const said = later['payload'];
    if (later['phase'] !== 'act' || !isFields(said) || !full(said['step_id']) || !full(said['step_status']))
      continue;
    const target = steps.find(({ id }) => id === said['step_id']);
    if (target) target['status'] = among(STATUSES, said['step_status'], 'pending');
  }
  const source = [payload['source'], planned['agent_id'], 'system'].find(full);
  const made: Fields = { steps, source };
  if (full(planned['timestamp'])) made['updated_at'] = planned['timestamp'];
  if (full(payload['rationale'])) made['rationale'] = payload['rationale'];
  return made;
}

const word = fc.constantFrom(
  '',
  'a',
  'b',
  'step-1',
  'step-2',
  'done',
  'act',
  'Act',
  'plan',
  'failed',
  '7',
  'é',
);
const odd = fc.constantFrom(null, 7, true, [], {}, ['a'], { a: 1 });
const often = <T>(likely: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: likely }, { weight: 1, arbitrary: odd }) as fc.Arbitrary<unknown>;

const record = fc.record(
  {
    id: often(word),
    kind: often(fc.constantFrom(...KINDS)),
    description: often(word),
    status: often(fc.constantFrom(...STATUSES)),
    rationale: often(word),
    depends_on: often(fc.array(often(word), { maxLength: 4 })),
    inputs: often(fc.dictionary(word, odd, { maxKeys: 2 })),
    outputs: often(fc.dictionary(word, odd, { maxKeys: 2 })),
    'x-note': odd,
    other: odd,
  },
  { requiredKeys: [] },
);
const labels = fc.oneof(
  word,
  fc.tuple(fc.constantFrom(...KINDS, 'other'), word).map((parts) => parts.join(':')),
  fc.string({ maxLength: 12 }),
);
const payload = fc.record(
  {
    step_records: often(fc.array(often(record), { maxLength: 4 })),
    steps: often(fc.array(often(labels), { maxLength: 4 })),
    source: often(word),
    rationale: often(word),
    step_id: often(word),
    step_status: often(fc.constantFrom(...STATUSES, 'blocked')),
  },
  { requiredKeys: [] },
);
const events = fc.array(
  fc.record(
    {
      phase: fc.constantFrom('plan', 'act', 'act', 'act', 'reflect', 'Plan'),
      payload: often(payload),
      agent_id: often(word),
      timestamp: often(word),
    },
    { requiredKeys: ['phase'] },
  ),
  { maxLength: 8 },
) as fc.Arbitrary<JsonObject[]>;

test('any events give the plan that the page asks for', () => {
  let plans = 0;
  fc.assert(
    fc.property(events, (list) => {
      const wanted = project(structuredClone(list));
      if (wanted !== null) plans += 1;
      expect(projectPlanState(list)).toEqual(wanted);
    }),
    { numRuns: 3000 },
  );
  expect(plans).toBeGreaterThan(500);
});
