import { describe, expect, test } from 'vitest';
import { emissionSource, exarchos } from '../../../src/dialects/exarchos/index.ts';
import type { JsonObject } from '../../../src/json/value.ts';
import { eachRecord, event, patched, started, toLog, transition } from './support.ts';

describe('finding logs', () => {
  test('of a state directory the streams alone', () => {
    const names = [
      'my-feature.events.jsonl',
      'my-feature.hook-events.jsonl',
      'my-feature.hook-events.drain-1-2.jsonl',
      'my-feature.projections.jsonl',
      'my-feature.state.json',
      'my-feature.seq',
      'my-feature.events.jsonl.repair.tmp',
      'telemetry.events.jsonl',
      'telemetry.events.jsonl.1',
      'events.jsonl',
      '.events.jsonl',
      'with space.events.jsonl',
      'exarchos.db',
    ];
    expect(exarchos.logFiles(names)).toEqual(['my-feature.events.jsonl', 'telemetry.events.jsonl']);
  });

  test('session transcripts have the suffix and are none', () => {
    expect(exarchos.logFiles(['.manifest.jsonl', '5f1e.events.jsonl'])).toEqual([]);
    const records = [{ t: 'tool', ts: 'x', sid: 's', type: 'a.b' }];
    expect(exarchos.detect({ fileName: '5f1e.events.jsonl', records })).toBe(false);
  });

  test.each<[string, string, readonly JsonObject[], boolean]>([
    ['an envelope, whatever the name', '-', [started()], true],
    ['an envelope with a field missing', 'x.jsonl', [{ type: 'a.b', streamId: 's', sequence: 1 }], true],
    ['an empty log by its name', 'f.events.jsonl', [], true],
    ['a rotated log', 'telemetry.events.jsonl.2', [], true],
    ['an empty log by another name', 'events.jsonl', [], false],
    [
      'an episode of another kind',
      'events.jsonl',
      [{ id: 'a', phase: 'plan', payload: {}, timestamp: 't' }],
      false,
    ],
    ['a ledger', 'f.jsonl', [{ id: 'a', kind: 'a.b', schema_version: 1, payload: {} }], false],
    ['a line of something else', 'f.jsonl', [{ type: 'x' }], false],
  ])('%s', (_, fileName, records, expected) => {
    expect(exarchos.detect({ fileName, records })).toBe(expected);
  });

  test.each([
    ['/d/my.events.jsonl', '/d/my.state.json'],
    ['/d/a.events.jsonl.events.jsonl', '/d/a.events.jsonl.state.json'],
    ['/d/telemetry.events.jsonl.1', '/d/telemetry.state.json'],
    ['/d/events.jsonl', '/d/state.json'],
  ])('the state of %s is %s', (log, state) => {
    expect(exarchos.stateFile(log)).toBe(state);
  });
});

describe('records', () => {
  async function viewed(events: readonly object[]) {
    const seen: Record<string, unknown>[] = [];
    await eachRecord(toLog(events), (record) => {
      const { view } = exarchos;
      seen.push({
        id: view.id(record),
        time: view.time(record),
        type: view.type(record),
        phase: view.phase(record),
        agent: view.agent(record),
        cause: view.cause(record),
        aliases: exarchos.aliases?.(record),
        filters: (exarchos.filters ?? []).map(({ name, value }) => [name, value(record)]),
      });
    });
    return seen;
  }

  test('are known by stream and sequence', async () => {
    const second = {
      ...transition(2, 'ideate', 'plan'),
      causationId: '1',
      agentId: 'impl-1',
      correlationId: 'c',
      idempotencyKey: 'f:transition:ideate:plan:1',
    };
    expect(await viewed([started(), second])).toEqual([
      expect.objectContaining({ id: 'f:1', phase: undefined, cause: undefined, agent: undefined }),
      {
        id: 'f:2',
        time: '2026-04-01T10:00:02.000Z',
        type: 'workflow.transition',
        phase: 'plan',
        agent: 'impl-1',
        cause: 'f:1',
        aliases: ['f:2', 'f:transition:ideate:plan:1'],
        filters: [
          ['stream', 'f'],
          ['correlation', 'c'],
        ],
      },
    ]);
  });

  test.each([
    ['g:4', 'g:4'],
    ['g#4', 'g:4'],
    ['f:task.completed:t1', 'f:task.completed:t1'],
    ['', undefined],
    [7, undefined],
  ])('the cause %j', async (causationId, cause) => {
    expect((await viewed([{ ...started(), causationId }]))[0]).toMatchObject({ cause });
  });

  test('an event id of later versions comes first', async () => {
    expect(await viewed([{ ...started(), eventId: 'e-1' }, { type: 'a.b' }])).toMatchObject([
      { id: 'e-1', aliases: ['e-1', 'f:1'] },
      { id: undefined, aliases: [] },
    ]);
  });

  test.each([
    [started(), 'f feature'],
    [transition(1, 'a', 'b'), 'a → b'],
    [patched(1, { 'tasks[0].status': 'x', y: 1 }), 'tasks[0].status, y'],
    [event(1, 'gate.executed', { gateName: 'lint', layer: 'l', passed: false }), 'lint failed'],
    [event(1, 'task.assigned', { taskId: 't1', title: 'One' }), 't1 One'],
    [event(1, 'own.type', { some: 1 }), '{"some":1}'],
    [event(1, 'own.type'), ''],
    [
      event(1, 'workflow.cleanup', { featureId: 'f', previousPhase: 'review', mergeVerified: true }),
      'was review',
    ],
  ])('are told in a few words: %j', (record, detail) => {
    const cells = Object.fromEntries(exarchos.columns.map(({ title, cell }) => [title, cell(record)]));
    expect(cells).toMatchObject({ SEQ: '1', DETAIL: detail });
  });

  test('types have the source they are meant for', () => {
    expect(emissionSource('gate.executed')).toBe('auto');
    expect(emissionSource('own.type')).toBeUndefined();
  });
});

test('the heavy parts are loaded on demand', async () => {
  const projector = await exarchos.projector();
  await eachRecord(toLog([started(), patched(2, { 'artifacts.pr': 'u' })]), (record) =>
    projector.add(record),
  );
  expect(projector.result().value).toMatchObject({ artifacts: { pr: 'u' } });
});
