import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { RehydrationFold } from '../../../src/dialects/exarchos/projection/rehydration.ts';
import { verifyExarchos } from '../../../src/dialects/exarchos/verify.ts';
import { DEFAULT_VERIFY_OPTIONS, type VerifyOptions } from '../../../src/findings/options.ts';
import { writeTree } from '../../support/temp.ts';
import { event, patched, started, toLog, told, transition, verifyFiles } from './support.ts';

const LOG = toLog([started(), transition(2, 'ideate', 'plan')]);
const verifyIn = (dir: string, options: Partial<VerifyOptions> = {}) =>
  verifyExarchos(
    { name: 'f', log: join(dir, 'f.events.jsonl'), dir: undefined },
    { ...DEFAULT_VERIFY_OPTIONS, ...options },
  );
const beside = async (files: Record<string, string>) =>
  told(await verifyFiles({ 'f.events.jsonl': LOG, ...files }));

describe('the counter', () => {
  test.each([
    ['{"sequence":2}', []],
    ['{"sequence":7}', ['warn sequence/counter']],
    ['{"sequence":1}', ['warn sequence/counter']],
    ['garbage', ['warn sequence/counter']],
    ['{"sequence":"2"}', ['warn sequence/counter']],
  ])('%s', async (counter, expected) => {
    expect(await beside({ 'f.seq': counter })).toEqual(expected);
  });

  test.each(['f.seq', 'f.projections.jsonl', 'f.hook-events.jsonl'])(
    'a link out of the directory is not followed: %s',
    async (name) => {
      const outside = writeTree({ 'secret.jsonl': 'a secret\n' });
      const dir = writeTree({ 'f.events.jsonl': LOG });
      symlinkSync(join(outside, 'secret.jsonl'), join(dir, name));
      expect((await verifyIn(dir)).findings).toEqual([
        expect.objectContaining({
          code: 'artifact/unreadable',
          message: 'cannot be read (a symlink out of the folder of the run)',
          file: name,
        }),
      ]);
    },
  );

  test.each(['f.projections.jsonl', 'f.hook-events.jsonl'])(
    'does not wait for something that is not a file: %s',
    async (name) => {
      const dir = writeTree({ 'f.events.jsonl': LOG });
      execFileSync('mkfifo', [join(dir, name)]);
      expect((await verifyIn(dir)).findings).toMatchObject([
        { message: 'cannot be read (neither a file nor a folder)', file: name },
      ]);
      const other = writeTree({ 'f.events.jsonl': LOG, [`${name}/x`]: '' });
      expect((await verifyIn(other)).findings).toMatchObject([
        { message: 'cannot be read (EISDIR)', file: name },
      ]);
    },
  );

  test('one that is left from a crash, and that of another stream, are ignored', async () => {
    expect(await beside({ 'f.seq.tmp': '{"sequence":9}', 'g.seq': '{"sequence":9}' })).toEqual([]);
  });
});

describe('sidecars', () => {
  const waiting =
    '{"type":"team.task.failed","data":{},"timestamp":"2026-04-01T10:00:00Z","idempotencyKey":"k"}\n';

  test('waiting events are info; lines that will be lost are worse', async () => {
    expect(await beside({ 'f.hook-events.jsonl': waiting })).toEqual(['info artifact/pending-events']);
    expect(await beside({ 'f.hook-events.jsonl': `${waiting}{"data":{}}\nbroken\n` })).toEqual([
      'info artifact/pending-events',
      'warn artifact/schema 2 type',
      'error artifact/corrupt 3',
    ]);
    expect(await beside({ 'f.hook-events.jsonl': '' })).toEqual([]);
  });

  test('an interrupted merge is a warning for its own stream only', async () => {
    expect(await beside({ 'f.hook-events.drain-12-1700000000000.jsonl': waiting })).toEqual([
      'warn artifact/pending-events',
    ]);
    expect(await beside({ 'ff.hook-events.drain-12-1700000000000.jsonl': waiting })).toEqual([]);
  });
});

describe('snapshots', () => {
  const snapshot = (sequence: number) =>
    `${JSON.stringify({ projectionId: 'rehydration@v1', projectionVersion: '1', sequence, state: {}, timestamp: 't' })}\n`;

  test('must not be beyond the end of the log', async () => {
    expect(await beside({ 'f.projections.jsonl': snapshot(2) })).toEqual([]);
    expect(await beside({ 'f.projections.jsonl': snapshot(2) + snapshot(9) })).toEqual([
      'warn checkpoint/mismatch 2 sequence',
    ]);
    expect(await beside({ 'f.projections.jsonl': '{"x":1}\n' })).toContain(
      'warn artifact/schema 1 projectionId',
    );
    expect(await beside({ 'f.projections.jsonl': 'x\n' })).toEqual(['error artifact/corrupt 1']);
  });
});

describe('snapshots of the document from which an agent continues a workflow', () => {
  const EVENTS = [
    started(),
    transition(2, 'ideate', 'plan'),
    event(3, 'task.assigned', { taskId: 't', title: 'T' }),
  ];
  const document = (events: readonly JsonObject[]) => {
    const fold = new RehydrationFold();
    for (const one of events) fold.add(one);
    return fold.result();
  };
  const snapshot = (sequence: number, state: object, projectionId = 'rehydration@v1') =>
    `${JSON.stringify({ projectionId, projectionVersion: '1', sequence, state, timestamp: 't' })}\n`;
  const against = async (events: readonly JsonObject[], ...snapshots: string[]) =>
    verifyFiles({ 'f.events.jsonl': toLog(events), 'f.projections.jsonl': snapshots.join('') });

  test('match the events', async () => {
    const good = [2, 3].map((sequence) => snapshot(sequence, document(EVENTS.slice(0, sequence))));
    expect(told(await against(EVENTS, ...good))).toEqual([]);
    const edited = {
      ...document(EVENTS),
      workflowState: { featureId: 'f', phase: 'synthesize', workflowType: 'feature' },
    };
    const report = await against(EVENTS, ...good, snapshot(3, edited));
    expect(told(report)).toEqual(['warn checkpoint/mismatch 3 state.workflowState.phase']);
    expect(report.findings[0]).toMatchObject({
      message: 'workflowState.phase is "synthesize", but the events up to the snapshot give "plan"',
      expected: '"plan"',
      actual: '"synthesize"',
    });
    const { artifacts: _, ...lacking } = document(EVENTS);
    const [lack] = (await against(EVENTS, snapshot(3, lacking))).findings;
    expect(lack?.message).toBe('artifacts is nothing, but the events up to the snapshot give {}');
    const early = await against(EVENTS, snapshot(1, document(EVENTS)));
    expect(early.findings[0]?.message).toMatch(/; 2 more parts differ$/);
  });

  test('are ignored if they are of another kind, or if the numbers are uncertain', async () => {
    const wrong = document([]);
    expect(told(await against(EVENTS, snapshot(2, wrong, 'other@v1'), snapshot(2, { v: 4 })))).toEqual([]);
    const [first, second, third] = EVENTS as [JsonObject, JsonObject, JsonObject];
    const codes = told(await against([first, third, second], snapshot(1, wrong), snapshot(3, wrong)));
    expect(codes.filter((text) => text.includes('checkpoint'))).toEqual([
      'warn checkpoint/mismatch 1 state.projectionSequence',
    ]);
  });
});

describe('the state file', () => {
  const state = {
    featureId: 'f',
    workflowType: 'feature',
    phase: 'plan',
    artifacts: { design: null, plan: null, pr: null },
    tasks: [],
  };

  test('that agrees with the log', async () => {
    expect(
      await beside({
        'f.state.json': JSON.stringify({
          ...state,
          worktrees: {},
          reviews: {},
          synthesis: {
            integrationBranch: null,
            mergeOrder: [],
            mergedBranches: [],
            prUrl: null,
            prFeedback: [],
          },
          planReview: {},
        }),
      }),
    ).toEqual(['info projection/not-derivable 1']);
  });

  test('each difference names the event behind it', async () => {
    const report = await verifyFiles({
      'f.events.jsonl': LOG,
      'f.state.json': JSON.stringify({ ...state, phase: 'completed' }),
    });
    expect(report.findings.find(({ path }) => path === 'phase')).toMatchObject({
      code: 'projection/state',
      severity: 'warn',
      file: 'f.state.json',
      path: 'phase',
      expected: '"plan"',
      actual: '"completed"',
      eventId: 'f:2',
      message: 'phase is "completed", but the event on line 2 gives "plan"',
    });
  });

  test('a part of the file that no event contains and that differs is compared with the log', async () => {
    const report = await verifyFiles({
      'f.events.jsonl': toLog([patched(1, { 'artifacts.plan': 'p.md' })]),
      'f.state.json': JSON.stringify({ ...state, artifacts: { design: 'd.md', plan: 'p.md', pr: null } }),
    });
    expect(report.findings.find(({ path }) => path === 'artifacts.design')?.message).toBe(
      'artifacts.design is "d.md", but the log gives null',
    );
  });

  test('one that was written while the log was read is not compared with it', async () => {
    const dir = writeTree({ 'f.events.jsonl': LOG });
    const late = JSON.stringify({ ...state, phase: 'review' });
    const report = await verifyIn(dir, { onBytes: () => writeFileSync(join(dir, 'f.state.json'), late) });
    expect(report.findings).toEqual([]);
    expect(report.stages).toContainEqual({
      name: 'projection',
      status: 'skipped',
      reason: 'the state file was written while the log was read',
    });
  });

  test('reports what the log has no evidence for', async () => {
    const log = toLog([event(1, 'gate.executed')]);
    const report = await verifyFiles({ 'f.events.jsonl': log, 'f.state.json': JSON.stringify(state) });
    expect(told(report)).toEqual(['info projection/not-derivable 1']);
    expect(report.findings[0]?.message).toBe(
      'not compared with the log: featureId, workflowType, phase, artifacts, tasks (no event in the log mentions it)',
    );
  });

  test('lists at most twenty parts that were not compared', async () => {
    const more = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`_x${index}`, 1]));
    const report = await verifyFiles({
      'f.events.jsonl': LOG,
      'f.state.json': JSON.stringify({ ...state, ...more }),
    });
    const told = report.findings.find(({ code }) => code === 'projection/not-derivable')?.message;
    expect(told).toMatch(/_x19 and 10 more \(bookkeeping of the program, which no event mentions\)$/);
  });

  test.each([
    ['{"featureId":', 'state/invalid-json'],
    ['[]', 'state/schema'],
    ['{"featureId":1}', 'state/schema'],
  ])('%s', async (text, code) => {
    const report = await verifyFiles({ 'f.events.jsonl': LOG, 'f.state.json': text });
    expect(report.findings.map((finding) => finding.code)).toContain(code);
    expect(report.verdict).toBe('fail');
  });

  test('a log with another name has none', async () => {
    const report = await verifyFiles({ 'events.jsonl': LOG, 'f.state.json': '{' }, 'events.jsonl');
    expect(report.findings).toEqual([]);
    expect(report.stages).toContainEqual({
      name: 'artifacts',
      status: 'skipped',
      reason: "the log's name has no stream",
    });
  });

  test('a link out of the directory is not followed', async () => {
    const outside = writeTree({ 'secret.json': '{}' });
    const dir = writeTree({ 'f.events.jsonl': toLog([started(), patched(2, {})]) });
    symlinkSync(join(outside, 'secret.json'), join(dir, 'f.state.json'));
    expect(told(await verifyIn(dir))).toEqual(['error artifact/unreadable']);
  });
});

test('a missing log fails', async () => {
  const report = await verifyExarchos({ name: 'x', log: undefined, dir: '/x' }, DEFAULT_VERIFY_OPTIONS);
  expect(report).toMatchObject({ verdict: 'fail', findings: [{ code: 'log/missing' }] });
});
