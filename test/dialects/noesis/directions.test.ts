import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { NoesisRun } from '../../../src/dialects/noesis/run.ts';
import { verifyEpisode } from '../../../src/library/verify.ts';
import { runHere } from '../../support/in-process.ts';
import { writeTree } from '../../support/temp.ts';

const event = (phase: string, payload: JsonObject, more: JsonObject = {}): JsonObject => ({
  phase,
  payload,
  timestamp: '2026-03-02T09:00:00Z',
  ...more,
});
const START = event('start', { task: 't', seed: 1, using: 'x' });
const END = event('terminate', { status: 'completed' });
const ACT = event('act', { input_excerpt: 'x', outcome: 'ok', tool: 'sh' });
const directive = (more: JsonObject) =>
  event('direction', {
    schema_version: '1.2.0',
    directive_id: 'd',
    reason: 'r',
    policy_id: 'p',
    policy_version: '1',
    policy_kind: 'rules',
    ...more,
  });
const veto = (more: JsonObject) => event('intuition', { kind: 'veto', ...more });

const logOf = (events: readonly JsonObject[]): string =>
  `${writeTree({
    'events.jsonl': events.map((one, index) => `${JSON.stringify({ id: `e${index}`, ...one })}\n`).join(''),
  })}/events.jsonl`;

const codesOf = async (events: readonly JsonObject[]): Promise<string[]> =>
  (await verifyEpisode(logOf(events))).findings
    .filter(({ severity }) => severity !== 'info')
    .map(({ code, line }) => `${code} ${line}`);

describe('a veto of intuition that acts ignore', () => {
  test.each<[string, JsonObject, string[]]>([
    ['blocks', { blocking: true }, ['governance/veto-ignored 2']],
    ['blocks and was applied', { blocking: true, applied: true }, ['governance/veto-ignored 2']],
    ['only advises', { blocking: false }, []],
    ['was not applied', { blocking: true, applied: false }, []],
    ['does not say whether it blocks', {}, []],
  ])('is reported if it %s', async (_, payload, expected) => {
    expect(await codesOf([START, veto(payload), ACT, END])).toEqual(expected);
  });

  test('is answered by an end as vetoed', async () => {
    expect(
      await codesOf([START, veto({ blocking: true }), event('terminate', { status: 'vetoed' })]),
    ).toEqual([]);
  });
});

describe('a directive', () => {
  test.each<[string, boolean, string[]]>([
    ['applied', true, []],
    ['blocked', false, []],
    ['skipped', false, []],
    ['applied', false, ['governance/enforcement 2']],
    ['blocked', true, ['governance/enforcement 2']],
    ['skipped', true, ['governance/enforcement 2']],
  ])('that is %s has applied %s', async (status, applied, expected) => {
    expect(await codesOf([START, directive({ status, applied }), END])).toEqual(expected);
  });
});

test('the evidence of an intuition and that of its payload are the same, as those of a direction', async () => {
  const cites = (phase: string, own: string[], mirrored: string[]) =>
    codesOf([
      START,
      phase === 'intuition'
        ? { ...event('intuition', { kind: 'hint', evidence_ids: mirrored }), evidence_ids: own }
        : { ...directive({ status: 'skipped', evidence_ids: mirrored }), evidence_ids: own },
      END,
    ]);
  for (const phase of ['intuition', 'direction']) {
    expect(await cites(phase, ['a'], ['a'])).toEqual([]);
    expect(await cites(phase, ['a'], ['b'])).toEqual(['lineage/evidence 2']);
    expect(await cites(phase, ['a', 'b'], ['a'])).toEqual(['lineage/evidence 2']);
  }
});

test('an empty phase is a missing one', async () => {
  expect(await codesOf([START, event('', {}), END])).toEqual(['event/missing-field 2']);
});

describe('an error', () => {
  const FAILED = event('error', { message: 'Disk full', type: 'IOError' });
  const runOf = (...events: JsonObject[]): NoesisRun => {
    const run = new NoesisRun();
    for (const [index, one] of events.entries()) run.take(one, index + 1);
    return run;
  };

  test.each<[string, JsonObject[], string, boolean]>([
    ['the last event', [START, ACT, FAILED], 'error', true],
    ['followed by its score', [START, FAILED, event('insight', { success: false })], 'error', true],
    ['overcome', [START, FAILED, ACT], 'running', false],
    ['before a normal end', [START, FAILED, ACT, END], 'ok', true],
    ['before an end as failed', [START, FAILED, event('terminate', { status: 'errored' })], 'error', true],
  ])('that is %s', (_, events, status, isOver) => {
    const run = runOf(...events);
    expect([run.status, run.isOver]).toEqual([status, isOver]);
    expect(run.reasons.map(({ kind, text }) => `${kind}: ${text}`)).toContain('error: Disk full');
  });

  test('is what list, show and read say of a run that ends with it', async () => {
    const log = logOf([START, ACT, FAILED]);
    const list = JSON.parse((await runHere(['list', log, '-j'])).stdout) as JsonObject[];
    expect(JSON.stringify(list)).toMatch(/"status":"error".*Disk full/);
    const show = JSON.parse((await runHere(['show', log, '-j'])).stdout) as JsonObject;
    expect(JSON.stringify(show)).toContain('Disk full');
    expect((await runHere(['show', log])).stdout).toMatch(/Status +error[\s\S]*Disk full/);
    expect((await runHere(['read', log])).stdout).toMatch(/error/);
  });
});
