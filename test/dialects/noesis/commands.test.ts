import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { projectPlanState } from '../../../src/dialects/noesis/plan/plan-fold.ts';
import { summarizeLog } from '../../../src/dialects/noesis/show/log-summary.ts';
import { verifyEpisode } from '../../../src/library/verify.ts';
import { episodeIn, GOOD } from '../../support/episodes.ts';
import { runHere } from '../../support/in-process.ts';
import { tempDir, writeSettled } from '../../support/temp.ts';
import { act, event, plan } from './events.ts';

describe('noesis tail -f', () => {
  const line = (one: JsonObject) => `${JSON.stringify(one)}\n`;

  test.each([
    ['an end', event('terminate', { status: 'ok' })],
    ['an end that the runtime reports', event('runtime', { kind: 'terminate' }, { event_type: 'run.end' })],
  ])('stops behind %s of an episode that is closed, and shows what came after it', async (_, end) => {
    const dir = join(tempDir(), 'ep_1');
    mkdirSync(dir);
    const events = [
      event('start', {}),
      event('runtime', {}, { event_type: 'run.x' }),
      end,
      event('insight', {}, { id: 'last' }),
    ];
    writeSettled(join(dir, 'events.jsonl'), events.map(line).join(''));
    writeSettled(join(dir, 'final.json'), '{}');
    const { code, stdout } = await runHere(['tail', '-f', dir, '-j']);
    expect([code, stdout]).toEqual([0, events.map(line).join('')]);
  });
});

test('noesis project prints the state that the log gives, in JSON as for people', async () => {
  const { dir } = episodeIn(tempDir(), GOOD);
  const { stdout } = await runHere(['project', dir, '-j']);
  const { episode, plan: projected, outcomes } = JSON.parse(stdout);
  const state = JSON.parse(readFileSync(join(dir, 'state.json'), 'utf8'));
  expect({ id: episode.id, projected, outcomes }).toEqual({
    id: state.episode.id,
    projected: state.plan,
    outcomes: state.outcomes,
  });
});

test('a summary skips events without information about the run', () => {
  const odd = event('reason', null);
  const tail = [
    event('runtime', { status: 'resuming' }, { event_type: 'run.resume' }),
    odd,
    event('act', []),
  ];
  const summaryOf = (first: readonly JsonObject[], last: readonly JsonObject[]) =>
    summarizeLog({
      bytes: 1000,
      head: first,
      tail: last,
      backwards: () => last.toReversed(),
      forwards: (): never => {
        throw new Error('not read');
      },
      first: () => undefined,
      state: () => undefined,
    });
  expect(summaryOf([odd, event('start', { task: 't' })], tail)).toEqual({
    task: 't',
    status: 'running',
  });
  expect(summaryOf([], [event('terminate', { status: 'ok' }), odd]).status).toBe('ok');
  expect(summaryOf([], [odd]).status).toBe('running');
});

test('a plan is projected from events, ignoring other values among them', () => {
  const among: object[] = [
    [],
    plan({ steps: ['act:x'] }),
    ['plan'],
    act({ step_id: 'step-1', step_status: 'done' }),
  ];
  expect(projectPlanState(among)?.steps).toEqual([
    { id: 'step-1', kind: 'act', description: 'x', status: 'done' },
  ]);
});

test('another manifest in a folder of an episode is not a file that the runtime would list', async () => {
  const { dir } = episodeIn(tempDir(), GOOD);
  mkdirSync(join(dir, 'inner'));
  for (const name of ['inner/manifest.json', 'inner/other.txt']) writeFileSync(join(dir, name), '{}');
  const unlisted = async (strict: boolean) =>
    (await verifyEpisode(dir, { strict })).findings
      .filter(({ code }) => code === 'manifest/unlisted-file')
      .map(({ severity, file }) => [severity, file]);
  expect(await unlisted(false)).toEqual([
    ['info', 'inner/manifest.json'],
    ['warn', 'inner/other.txt'],
  ]);
  expect(await unlisted(true)).toEqual([
    ['error', 'inner/manifest.json'],
    ['error', 'inner/other.txt'],
  ]);
});
