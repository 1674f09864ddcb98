import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { NoesisError } from '../../../src/base/errors.ts';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { EVENT_TYPES } from '../../../src/dialects/exarchos/event-types.ts';
import { exarchos } from '../../../src/dialects/exarchos/index.ts';
import { exportHint } from '../../../src/dialects/exarchos/names.ts';
import type { EventTypeEntry } from '../../../src/dialects/kit/record-view.ts';
import { dialectOf } from '../../../src/dialects/kit/sample.ts';
import { tempDir, writeTree } from '../../support/temp.ts';
import { isInstalled } from '../../support/tools.ts';
import { eachRecord, event, patched, started, toLog, told, transition, verifyFiles } from './support.ts';

describe('finding logs', () => {
  test('takes only the streams of a state directory', () => {
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

  test('session transcripts have the suffix but are not logs', () => {
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

describe('where the program keeps its streams', () => {
  const folders = (env: Record<string, string>, home?: string) => exarchos.homes?.({ env, home });

  test.each([
    ['its own folder, then that of older versions', {}, ['/h/.exarchos/state', '/h/.claude/workflow-state']],
    ['the folder for states', { XDG_STATE_HOME: '/x' }, ['/x/exarchos/state', '/h/.claude/workflow-state']],
    ['that of a plugin', { CLAUDE_PLUGIN_ROOT: '/p' }, ['/h/.claude/workflow-state']],
    ['that of a plugin of its own', { EXARCHOS_PLUGIN_ROOT: '/p' }, ['/h/.claude/workflow-state']],
    ['one that is named', { WORKFLOW_STATE_DIR: '/w', CLAUDE_PLUGIN_ROOT: '/p' }, ['/w']],
    ['one that is named from home', { WORKFLOW_STATE_DIR: '~/w' }, ['/h/w']],
  ])('%s', (_, env, expected) => expect(folders(env, '/h')).toEqual(expected));

  test('is unknown without a home directory, unless a variable names it', () => {
    expect(folders({})).toEqual([]);
    expect(folders({ CLAUDE_PLUGIN_ROOT: '/p' })).toEqual([]);
    expect(folders({ XDG_STATE_HOME: '/x' })).toEqual(['/x/exarchos/state']);
  });

  test('the log of a stream is named after it', () => {
    expect(exarchos.logNameOf?.('my-feature')).toBe('my-feature.events.jsonl');
    expect(exarchos.logNameOf?.('a/b')).toBeUndefined();
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
        phase: view.phase?.(record),
        agent: view.agent(record),
        cause: view.cause?.(record),
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
        aliases: ['f:2', 'f:transition:ideate:plan:1', '2'],
        filters: [
          ['stream', 'f'],
          ['correlation', 'c'],
          ['task', undefined],
          ['tool', undefined],
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
      { id: 'e-1', aliases: ['e-1', 'f:1', '1'] },
      { id: undefined, aliases: [] },
    ]);
  });

  test.each([
    [started(), 'f feature'],
    [transition(1, 'a', 'b'), 'a → b'],
    [event(1, 'workflow.fix-cycle', { compoundStateId: 'i', count: 2, featureId: 'f' }), 'in i, cycle 2'],
    [event(1, 'workflow.compound-entry', { compoundStateId: 'i', featureId: 'f' }), 'enters i'],
    [event(1, 'workflow.cancel', { to: 'cancelled', reason: 'late' }), '→ cancelled late'],
    [event(1, 'workflow.cancel', {}), '{}'],
    [patched(1, { 'tasks[0].status': 'x', y: 1 }), 'tasks[0].status, y'],
    [event(1, 'gate.executed', { gateName: 'lint', layer: 'l', passed: false }), 'lint failed'],
    [event(1, 'gate.executed', { dimension: 'D1', passed: true }), 'D1 passed'],
    [
      event(1, 'review.finding', { severity: 'HIGH', filePath: 'a.ts', message: 'no test' }),
      'HIGH a.ts no test',
    ],
    [event(1, 'tool.invoked', { tool: 'view' }), 'view'],
    [event(1, 'tool.completed', { tool: 'view', durationMs: 7 }), 'view'],
    [event(1, 'tool.errored', { tool: 'view', errorMessage: 'no such file' }), 'view no such file'],
    [event(1, 'task.assigned', { taskId: 't1', title: 'One' }), 't1 One'],
    [event(1, 'task.claimed', { taskId: 't1', agentId: 'a' }), 't1 by a'],
    [
      event(1, 'task.completed', { taskId: 't1', evidence: { type: 'test', passed: true } }),
      't1 test passed',
    ],
    [event(1, 'task.completed', { taskId: 't1', evidence: { passed: 'yes' } }), 't1'],
    [event(1, 'synthesize.requested', { featureId: 'f', reason: 'r' }), 'f: r'],
    [
      event(1, 'workflow.compensation', { actionId: 'drop', status: 'failed', message: 'm' }),
      'drop failed: m',
    ],
    [event(1, 'workflow.circuit-open', { compoundId: 'i', fixCycleCount: 3 }), 'i after 3 fix cycles'],
    [event(1, 'workflow.cas-failed', { phase: 'plan', retries: 3 }), 'in phase plan after 3 retries'],
    [
      event(1, 'workflow.pruned', { stalenessMinutes: 90, triggeredBy: 'manual' }),
      'no activity for 90 min (manual)',
    ],
    [event(1, 'workflow.pruned', { triggeredBy: 'manual' }), '(manual)'],
    [
      event(1, 'eval.run.completed', { suiteId: 's', total: 4, passed: 3, avgScore: 0.5 }),
      's: 3 of 4 passed, average 0.5',
    ],
    [event(1, 'stack.enqueued', { prNumbers: [1, 2] }), 'PR 1, 2'],
    [event(1, 'stack.enqueued', { prNumbers: [] }), '{"prNumbers":[]}'],
    [event(1, 'benchmark.completed', { taskId: 't1', results: [{}, {}] }), 't1: 2 results'],
    [event(1, 'benchmark.completed', { taskId: 't1', results: 2 }), 't1'],
    [event(1, 'team.disbanded', { tasksCompleted: 1, tasksFailed: 2 }), '1 tasks completed, 2 failed'],
    [event(1, 'shepherd.completed', { outcome: 'merged' }), 'merged'],
    [event(1, 'test.result', { passed: false, passCount: 1, failCount: 2 }), 'failed: 1 passed, 2 failed'],
    [event(1, 'own.type', { some: 1 }), '{"some":1}'],
    [event(1, 'toString', { taskId: 't1' }), 't1'],
    [event(1, 'own.type'), ''],
    [
      event(1, 'workflow.cleanup', { featureId: 'f', previousPhase: 'review', mergeVerified: true }),
      'was review',
    ],
  ])('are described in a few words: %j', (record, detail) => {
    const cells = Object.fromEntries(exarchos.columns.map(({ title, cell }) => [title, cell(record)]));
    expect(cells).toMatchObject({ SEQ: '1', DETAIL: detail });
  });

  test('every built-in type has a meaning and a sentence about fields that it has', async () => {
    const more = 'from to trigger reason previousPhase prUrl compoundStateId dimension'.split(' ');
    for (const { type, meaning, fields = [] } of (await exarchos.eventTypes?.()) ?? []) {
      expect(meaning, type).toMatch(/^[A-Z]/);
      const { sentence = '' } = EVENT_TYPES.get(type) ?? {};
      const names = [...sentence.matchAll(/\{#?([\w.|]+)/g)].flatMap(([, name = '']) => name.split('|'));
      expect(names, type).not.toEqual([]);
      const known = [...fields.map((name) => name.replace('?', '')), ...more];
      expect(
        names.map((name) => name.replace(/\..*/, '')).filter((name) => !known.includes(name)),
        type,
      ).toEqual([]);
    }
  });

  test('built-in types have one source each, and those of the reference its groups', async () => {
    const types = (await exarchos.eventTypes?.()) ?? [];
    const count = (of: (type: EventTypeEntry) => unknown, among = types) => {
      const words = among.map((type) => String(of(type)));
      return Object.fromEntries(
        [...new Set(words)].map((word) => [word, words.filter((w) => w === word).length]),
      );
    };
    expect(count(({ source }) => source)).toEqual({ auto: 54, model: 26, hook: 1, planned: 3 });
    const documented = types.filter((type) => type.documented);
    expect(count(({ group }) => group, documented)).toEqual({
      workflow: 13,
      task: 5,
      quality: 4,
      evaluation: 4,
      stack: 4,
      telemetry: 3,
      benchmark: 1,
      team: 7,
      review: 3,
      remediation: 2,
      shepherd: 4,
      session: 8,
      oneshot: 1,
      other: 1,
    });
    expect(types.find(({ type }) => type === 'workflow.started')?.fields).toEqual([
      'featureId',
      'workflowType',
      'designPath?',
      'synthesisPolicy?',
    ]);
    expect(types.find(({ type }) => type === 'command.resolved')?.fields).toContain('remediation?');
  });

  test('types that a project registers come after the built-in ones', async () => {
    const types = (await exarchos.eventTypes?.({ custom_types: ['deploy.started', 'deploy.done'] })) ?? [];
    expect(types.slice(-2)).toEqual([
      { type: 'deploy.started', group: 'custom' },
      { type: 'deploy.done', group: 'custom' },
    ]);
  });
});

test('the heavy parts are loaded on demand', async () => {
  const projector = await exarchos.projector();
  await eachRecord(toLog([started(), patched(2, { 'artifacts.pr': 'u' })]), (record) =>
    projector.add(record),
  );
  expect(projector.result().value).toMatchObject({ artifacts: { pr: 'u' } });
});

const HEADER = 'SQLite format 3\0';
const TABLE = 'CREATE TABLE events (streamId TEXT, sequence INTEGER, type, timestamp, data, payload)';

describe('a database', () => {
  const hintOf = async (path: string) =>
    dialectOf(path, 'x').then(undefined, (error: NoesisError) => error.hint);

  test('of a store, by its tables or its name, is refused with the way to its logs', async () => {
    const dir = writeTree({ 'a.db': `${HEADER}${'\0'.repeat(65_000)}${TABLE}`, 'exarchos.db': HEADER });
    for (const name of ['a.db', 'exarchos.db']) {
      const path = join(dir, name);
      expect(await hintOf(path)).toBe(exportHint(path));
    }
    expect(exportHint('exarchos.db')).toMatch(/<stream>\.events\.jsonl .*sqlite3 -readonly 'exarchos\.db'/);
  });

  test('that no dialect recognises gets none of their commands', async () => {
    const path = join(writeTree({ 'other.db': `${HEADER}CREATE TABLE notes (id)` }), 'other.db');
    expect(await hintOf(path)).toBe(`sqlite3 -readonly '${path}' .schema shows what is in it`);
  });

  test.skipIf(!isInstalled('sqlite3'))(
    'is exported as a log without findings (where sqlite3 is installed)',
    async () => {
      const dir = tempDir();
      const [first, second] = [started(), transition(2, 'ideate', 'plan')];
      const rows = [
        `('f', 2, '${second['type']}', '${second['timestamp']}', 'null', '${JSON.stringify(second)}')`,
        `('f', 1, '${first['type']}', '${first['timestamp']}', '${JSON.stringify(first['data'])}', NULL)`,
        `('g', 1, 'x', 'x', '{}', '{}')`,
      ];
      const path = join(dir, 'exarchos.db');
      execFileSync('sqlite3', [path, `${TABLE}; INSERT INTO events VALUES ${rows.join()};`]);
      const [, command = ''] = /: (sqlite3 .*)$/.exec(exportHint(path)) ?? [];
      execFileSync('sh', ['-c', command.replaceAll('STREAM', 'f')], { cwd: dir });
      const text = readFileSync(join(dir, 'f.events.jsonl'), 'utf8');
      expect(told(await verifyFiles({ 'f.events.jsonl': text }, 'f.events.jsonl'))).toEqual([]);
      expect(text.trimEnd().split('\n')).toHaveLength(2);
    },
  );
});
