import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { FishbowlProjector } from '../../../src/dialects/fishbowl/projection.ts';
import { eachRecord } from '../exarchos/support.ts';
import { ledger, project, started } from './ledgers.ts';

const SAMPLES = join(import.meta.dirname, '../../samples/fishbowl');

describe('the ledger of ten runs', () => {
  const read = (name: string) => readFileSync(join(SAMPLES, name), 'utf8');
  const events = () =>
    read('ledger-10-runs.scrubbed.jsonl')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as JsonObject);

  test('projects what the engine projects', () => {
    const { value } = project(events());
    expect(value['runs']).toEqual(JSON.parse(read('expected-run-summaries.json')));
    expect(value['stage']).toEqual(JSON.parse(read('expected-stage.json')));
    expect(value['leaderboard']).toEqual(JSON.parse(read('expected-leaderboard.json')));
  });

  test('returns one run of many', () => {
    const all = project(events()).value;
    const [first] = all['runs'] as { run_id: string }[];
    const runId = first?.run_id ?? '';
    const { value } = project(events(), { runId });
    expect(value['runs']).toEqual([first]);
    expect(Object.keys(value['stage'] as object)).toEqual([runId]);
  });

  test('ignores repeated events', () => {
    expect(project([...events(), ...events()]).value).toEqual(project(events()).value);
  });
});

describe('run summaries', () => {
  test('a later end replaces an earlier one completely', () => {
    const events = ledger([
      started('r'),
      {
        run_id: 'r',
        kind: 'run.finished',
        payload: { reason: 'verdict', winner: 'ann', turns: '12', tokens: 3.9 },
      },
      { run_id: 'r', kind: 'run.finished', payload: { reason: 'budget' } },
    ]);
    expect(project(events.slice(0, 2)).value['runs']).toMatchObject([
      { winner: 'ann', turns: 12, tokens: 3 },
    ]);
    expect(project(events).value['runs']).toMatchObject([
      { reason: 'budget', winner: null, turns: 0, tokens: 0 },
    ]);
  });

  test('a model in place of a list stays one', () => {
    const events = ledger([
      started('r'),
      { run_id: 'r', kind: 'run.finished', payload: { winning_models: 'abc' } },
    ]);
    expect(project(events).value['runs']).toMatchObject([{ winning_models: ['abc'] }]);
  });

  test('any event makes a run, and odd casts are empty', () => {
    const events = ledger([
      { run_id: 'a', kind: 'agent.spoke', payload: { text: 'hi' } },
      { ...started('b'), payload: { seed: 's', cast: ['x'] } },
      { ...started('c'), payload: { seed: 's', cast: { x: 7 }, session_id: 'from-payload' } },
    ]);
    expect(project(events).value['runs']).toMatchObject([
      { run_id: 'a', started_at: null, cast: {} },
      { run_id: 'b', cast: {} },
      { run_id: 'c', cast: { x: { model_endpoint: null, model_profile: null } }, session_id: 'from-payload' },
    ]);
  });
});

test('numbers are read as the engine reads them, however they are stored', async () => {
  const [stored] = ledger([{ ...started('r'), created_at: 'AT' }]);
  const startedAt = async (number: string) => {
    const projector = new FishbowlProjector();
    const line = JSON.stringify(stored)
      .replace('"AT"', number)
      .replace('"schema_version":1', '"schema_version":1.0');
    await eachRecord(`${line}\n`, (record) => projector.add(record));
    return projector.result().value['runs'];
  };
  expect(await startedAt('1780272000.0')).toMatchObject([{ started_at: '2026-06-01T00:00:00Z' }]);
  expect(await startedAt('1780272000')).toMatchObject([{ started_at: '2026-06-01T00:00:00Z' }]);
  expect(await startedAt('1e400')).toMatchObject([{ started_at: null }]);
});

describe('the stage', () => {
  test('shows values that are not texts, and skips an event without one', () => {
    const events = ledger([
      { ...started('r'), payload: { seed: null } },
      {
        run_id: 'r',
        kind: 'crier.announced',
        actor: 'crier',
        payload: { text: { a: [true, null, "it's"] } },
      },
      { run_id: 'r', kind: 'agent.reflected', actor: 'ann', payload: {} },
      { run_id: 'r', kind: 'run.finished', actor: 'conductor', payload: { text: 'over' } },
      { run_id: 'r', kind: 'clue.found', actor: 'ann', payload: { where: 'here' } },
    ]);
    expect(project(events).value['stage']).toMatchObject({
      r: {
        seed: 'null',
        agent_notes: [
          'crier [crier.announced]: {"a":[true,null,"it\'s"]}',
          'ann believes: ',
          'conductor [run.finished]: over',
        ],
      },
    });
    const silent = ledger([started('r'), { run_id: 'r', kind: 'agent.spoke', payload: {} }]);
    expect(project(silent).value['stage']).toMatchObject({ r: { agent_notes: [] } });
  });

  test('an empty goal keeps the earlier one', () => {
    const events = ledger([
      { ...started('r'), payload: { seed: 'a', goal: 'first' } },
      { ...started('r'), payload: { seed: 'b', goal: '' } },
    ]);
    expect(project(events).value['stage']).toMatchObject({ r: { seed: 'b', goal: 'first' } });
  });

  test('keeps the last notes', () => {
    const say = (n: number): JsonObject => ({
      run_id: 'r',
      kind: 'agent.spoke',
      actor: 'a',
      payload: { text: `${n}` },
    });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 30 }), (total) => {
        const stage = project(ledger([started('r'), ...Array.from({ length: total }, (_, n) => say(n))]))
          .value['stage'];
        const expected = Array.from({ length: total }, (_, n) => `a: ${n}`).slice(-8);
        expect(stage).toMatchObject({ r: { agent_notes: expected } });
      }),
    );
  });
});

describe('the fold', () => {
  const kinds = ['run.started', 'run.finished', 'world.observed', 'agent.spoke', 'judge.verdict', 'x.y'];
  const event = fc.record({
    id: fc.constantFrom('1', '2', '3', '4', '5', '6', '7', '8', '9'),
    run_id: fc.constantFrom('a', 'b', '__proto__', 'constructor'),
    turn: fc.integer(),
    kind: fc.constantFrom(...kinds),
    actor: fc.string(),
    payload: fc.dictionary(
      fc.constantFrom('text', 'seed', 'cast', 'competition', 'winner', 'turns', '__proto__'),
      fc.jsonValue(),
    ),
    created_at: fc.constant('2026-06-01T00:00:00Z'),
    schema_version: fc.constant(1),
  }) as unknown as fc.Arbitrary<JsonObject>;

  test('never throws, and reading the log twice over changes nothing', () => {
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const once = project(events).value;
        expect(project([...events, ...events]).value).toEqual(once);
      }),
    );
  });

  test('runs do not affect each other: each has the same result alone and among others', () => {
    fc.assert(
      fc.property(fc.uniqueArray(event, { selector: ({ id }) => id }), (events) => {
        const { runs } = project(events).value as { runs: { run_id: string }[] };
        for (const run of runs) expect(project(events, { runId: run.run_id }).value['runs']).toEqual([run]);
      }),
    );
  });

  test('a run named __proto__ is like any other', () => {
    const { value } = project(ledger([{ ...started('__proto__') }]));
    expect(Object.keys(value['stage'] as object)).toEqual(['__proto__']);
  });

  test('reads other versions through the registered steps', () => {
    const upcasts = [{ dialect: 'fishbowl', from: 0, to: 1, rename: { run: 'run_id' } }];
    const old: JsonObject = {
      id: 'o',
      run: 'r',
      kind: 'run.started',
      payload: { seed: 's' },
      schema_version: 0,
    };
    expect(project([old], { upcasts }).value['runs']).toMatchObject([{ run_id: 'r', seed: 's' }]);
    expect(project([old]).value['runs']).toEqual([]);
  });

  test('names the event behind a value', () => {
    const { evidence } = project(ledger([started('r'), { run_id: 'r', kind: 'run.finished', payload: {} }]));
    expect(evidence.of('runs[0].winner')).toEqual({ eventId: 'e2', line: 2 });
    expect(evidence.of('runs[0].seed')).toEqual({ eventId: 'e1', line: 1 });
    expect(evidence.of('stage.r.seed')).toEqual({ eventId: 'e1', line: 1 });
  });
});
