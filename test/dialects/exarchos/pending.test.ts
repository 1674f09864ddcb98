import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { asObject } from '../../../src/dialects/kit/members.ts';
import type { VerifyReport } from '../../../src/findings/report.ts';
import { noesis } from '../../support/cli.ts';
import { writeTree } from '../../support/temp.ts';
import { event, patched, started, stateOf, toLog, told, transition, verifyFiles } from './support.ts';

const waiting = (type: string, data: object = {}) =>
  `${JSON.stringify({ type, data, timestamp: '2026-04-01T10:00:00Z' })}\n`;

const snapshot = `${JSON.stringify({ projectionId: 'rehydration@v1', projectionVersion: '1', sequence: 9, state: {}, timestamp: 't' })}\n`;

describe('with events that wait in a sidecar', () => {
  const log = [patched(1, { phase: 'ideate' }), transition(2, 'plan', 'review')];
  const state = { ...stateOf(started(), ...log), phase: 'delegate', featureId: 'f', workflowType: 'feature' };
  const files = {
    'f.events.jsonl': toLog(log),
    'f.state.json': JSON.stringify(state),
    'f.projections.jsonl': snapshot,
  };

  test('their effects are not reported, and the sidecar is reported once', async () => {
    const sidecar = waiting('workflow.started', { featureId: 'f', workflowType: 'feature' });
    const report = await verifyFiles({ ...files, 'f.hook-events.jsonl': sidecar });
    expect(told(report)).toEqual([
      'info consistency/patch 1 data.patch.phase',
      'info artifact/pending-events',
      'info projection/not-derivable 1',
    ]);
    expect(report).toMatchObject({
      level: 'readable',
      notProven: expect.stringContaining('not all of the state'),
    });
    const reasons = report.stages.filter(({ reason }) => reason?.includes('sidecar')).map(({ name }) => name);
    expect(reasons).toEqual(['projection', 'artifacts']);
  });

  test('if none of them changes a state, the state is still compared with the log', async () => {
    const sidecar = waiting('team.task.completed');
    expect(told(await verifyFiles({ ...files, 'f.hook-events.jsonl': sidecar }))).toEqual([
      'warn order/start-not-first 1 type',
      'info consistency/patch 1 data.patch.phase',
      'warn order/lifecycle 2 data.from',
      'info artifact/pending-events',
      'info projection/not-derivable 1',
      'warn projection/state 1 phase',
    ]);
  });

  test('parts that no waiting event changes are compared, and the rest is named', async () => {
    const sidecar = waiting('state.patched', { featureId: 'f', fields: ['x'], patch: { x: 1 } });
    const report = await verifyFiles({
      ...files,
      'f.state.json': JSON.stringify({ ...state, x: 1 }),
      'f.hook-events.jsonl': sidecar,
    });
    expect(told(report)).toContain('warn projection/state 1 phase');
    expect(report.level).toBe('readable');
    const left = report.findings.find(({ code }) => code === 'projection/not-derivable');
    expect(left?.message).toMatch(
      /\bx\b[^(]*\(events wait in a sidecar: what they change is not known yet\)/,
    );
  });

  test.each([
    [
      'a patch of a member of it',
      waiting('state.patched', { patch: { 'artifacts.design': 'new.md' } }),
      'artifacts.design',
    ],
    ['a patch of all of it', waiting('state.patched', { patch: { artifacts: 'new' } }), 'artifacts.design'],
    ['a request', waiting('synthesize.requested'), 'oneshot.synthesisRequested'],
  ])('a difference that %s explains keeps the level below consistent', async (_, sidecar, left) => {
    const begun = event(1, 'workflow.started', {
      featureId: 'f',
      workflowType: 'oneshot',
      synthesisPolicy: 'on-request',
    });
    const log = [begun, patched(2, { 'artifacts.design': 'old.md' })];
    const asked = {
      ...stateOf(...log),
      artifacts: { design: left === 'artifacts.design' ? 'new.md' : 'old.md' },
    };
    const oneshot = { synthesisPolicy: 'on-request', synthesisRequested: left !== 'artifacts.design' };
    const report = await verifyFiles({
      'f.events.jsonl': toLog(log),
      'f.state.json': JSON.stringify({ ...asked, oneshot }),
      'f.hook-events.jsonl': sidecar,
    });
    expect(told(report).filter((text) => text.includes('projection/state'))).toEqual([]);
    expect(report.level).toBe('readable');
    expect(report.findings.map(({ message }) => message).join()).toMatch(
      new RegExp(`${left}[^(]*\\(events wait`),
    );
  });

  test('without a sidecar everything is reported', async () => {
    expect(told(await verifyFiles(files))).toEqual([
      'warn order/start-not-first 1 type',
      'info consistency/patch 1 data.patch.phase',
      'warn order/lifecycle 2 data.from',
      'warn checkpoint/mismatch 1 sequence',
      'info projection/not-derivable 1',
      'warn projection/state 1 phase',
    ]);
  });
});

test('three writers of one folder with events in sidecars only get findings about these', async () => {
  const named = (stream: string, events: readonly JsonObject[]) =>
    events.map((one) => ({
      ...one,
      streamId: stream,
      data: { ...asObject(one['data']), featureId: stream },
    }));
  // Each log begins in the middle: its first events are in the sidecar of another stream.
  const filesOfStream = (stream: string) => ({
    [`${stream}.events.jsonl`]: toLog(
      named(stream, [
        patched(1, { artifacts: {} }),
        transition(2, 'plan', 'review'),
        transition(3, 'ideate', 'plan'),
      ]),
    ),
    [`${stream}.state.json`]: JSON.stringify({
      ...stateOf(started(), transition(2, 'plan', 'review')),
      phase: 'delegate',
      featureId: stream,
      workflowType: 'feature',
    }),
    [`${stream}.projections.jsonl`]: snapshot,
    [`${stream}.hook-events.jsonl`]:
      waiting('workflow.started', { featureId: stream, workflowType: 'feature' }) +
      waiting('team.task.completed', { taskId: '1' }) +
      waiting('workflow.transition', { from: 'ideate', to: 'plan', trigger: 't', featureId: stream }),
  });
  const streams = ['one', 'two', 'three'];
  const dir = writeTree({
    ...Object.assign({}, ...streams.map(filesOfStream)),
    'two.hook-events.drain-4711-1775037600000.jsonl': waiting('task.completed', { taskId: '1' }),
  });
  const { code, stdout } = await noesis(['verify', dir, '-j']);
  const { episodes } = JSON.parse(stdout) as VerifyReport;
  expect(code).toBe(0);
  const said = episodes.map((episode) => [basename(episode.path), told(episode)]);
  const waits = ['info artifact/pending-events', 'info projection/not-derivable 1'];
  expect(Object.fromEntries(said)).toEqual({
    'one.events.jsonl': waits,
    'two.events.jsonl': ['warn artifact/pending-events', ...waits],
    'three.events.jsonl': waits,
  });
});

test('a null that the file has by default is not a difference', async () => {
  const log = [patched(2, { 'artifacts.plan': 'p.md' })];
  const state = { featureId: 'f', workflowType: 'feature', phase: 'plan', tasks: [] };
  const artifacts = { design: null, plan: 'p.md', pr: null };
  const report = await verifyFiles({
    'f.events.jsonl': toLog(log),
    'f.state.json': JSON.stringify({ ...state, artifacts }),
  });
  expect(told(report).filter((text) => text.includes('projection/state'))).toEqual([]);
});

test('repeated keys on neighbouring lines are one finding', async () => {
  const keyed = (sequence: number, key: string) =>
    event(sequence, 'test.result', { passed: true, passCount: 1, failCount: 0 }, { idempotencyKey: key });
  const keys = Array.from({ length: 40 }, (_, index) => `k${index}`);
  const log = [started(), ...[...keys, ...keys].map((key, index) => keyed(index + 2, key))];
  const report = await verifyFiles({ 'f.events.jsonl': toLog(log) });
  expect(told(report)).toEqual(['info idempotency/duplicate 42 idempotencyKey']);
  expect(report.findings[0]?.message).toBe(
    'the keys of lines 42 to 81 are repeated, the first of them from line 2, with the same content',
  );
});

test('causes that lead back to their event are a cycle, reported once', async () => {
  const caused = (sequence: number, cause: string) =>
    event(sequence, 'test.result', undefined, { causationId: cause });
  const report = await verifyFiles({
    'f.events.jsonl': toLog([
      started(),
      caused(2, '4'),
      caused(3, '2'),
      caused(4, '3'),
      caused(5, '6'),
      caused(6, '1'),
    ]),
  });
  expect(told(report)).toEqual(['warn lineage/cycle 2', 'info lineage/forward-cause 5']);
  expect(report.findings[0]?.message).toMatch(/on lines 2, 4, 3 form a cycle/);
});
