import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { noesis } from '../../../src/dialects/noesis/index.ts';
import { summarize } from '../../../src/find/summary.ts';
import { readLog } from '../../../src/log/read.ts';
import { runHere } from '../../support/in-process.ts';
import { times } from '../../support/length.ts';
import { answersOf, expectOneStatus } from '../../support/one-status.ts';
import { writeTree } from '../../support/temp.ts';

const linesRead = { count: 0 };
vi.mock('../../../src/log/backwards.ts', async (original) => {
  const { linesBackwards } = await original<typeof import('../../../src/log/backwards.ts')>();
  return {
    *linesBackwards(...from: Parameters<typeof linesBackwards>) {
      for (const line of linesBackwards(...from)) {
        linesRead.count += 1;
        yield line;
      }
    },
  };
});

// list, show, read and tail -f give one status of a run.

const event = (phase: string, payload: unknown, more: JsonObject = {}): JsonObject => ({
  id: 'e',
  timestamp: '2026-04-01T10:00:00Z',
  phase,
  payload: payload as JsonObject,
  ...more,
});
const runtime = (type: string, status: string): JsonObject =>
  event('runtime', { status, reason: 'asked' }, { event_type: `run.${type}` });

const interrupt = runtime('interrupt', 'interrupted');
const pause = runtime('checkpoint', 'paused');
const resume = runtime('resume', 'resuming');
const act = event('act', { tool: 't', result_status: 'ok' });
const error = event('error', { message: 'no network' });
const end = event('terminate', { status: 'vetoed', message: 'refused' });
const secondEnd = event('terminate', { status: 'ok', message: 'done' });

function logOf(events: readonly JsonObject[]): string {
  // The first event makes it a log of Noēsis.
  const lines = [event('start', {}), ...events].map((one) => `${JSON.stringify(one)}\n`).join('');
  return join(writeTree({ 'events.jsonl': lines }), 'events.jsonl');
}

const answers = (events: readonly JsonObject[]) => answersOf(logOf(events), noesis);

/** The status of a run, which every command must give. */
async function statusOf(events: readonly JsonObject[]): Promise<string | undefined> {
  const found = await answers(events);
  expectOneStatus(found);
  const { account, tail } = found;
  const isWaiting = ['interrupted', 'paused', 'partial'].includes(account?.status ?? '');
  expect(tail.isPaused, 'tail: paused').toBe(isWaiting && account?.isOver === false);
  // A followed log may go on after an error.
  if (tail.isEnded) expect(account?.isOver, 'tail: ended').toBe(true);
  return account?.status;
}

test.each<[string, JsonObject[], string]>([
  ['works on after an interrupt', [interrupt, act], 'running'],
  ['works on after a checkpoint', [interrupt, pause, act], 'running'],
  ['notes something after an interrupt', [interrupt, event('insight', {})], 'interrupted'],
  ['waits', [act, interrupt, pause], 'paused'],
  ['is resumed', [interrupt, pause, resume], 'running'],
  ['works on after an error', [error, act], 'running'],
  ['ends with an error', [act, error], 'error'],
  ['is interrupted after an error', [error, interrupt], 'interrupted'],
  ['ends', [act, end], 'vetoed'],
  ['works after its end', [end, act], 'vetoed'],
  ['ends twice', [act, end, secondEnd], 'vetoed'],
  ['ends twice, and works in between', [act, end, act, secondEnd, act], 'vetoed'],
  ['ends, and then has an error', [act, secondEnd, error], 'ok'],
  ['ends, and is then paused', [act, secondEnd, interrupt, pause], 'ok'],
  ['ends without a payload', [event('terminate', null)], 'ended'],
  ['has a task only in another event', [event('plan', { task: 'x' })], 'running'],
])('a run that %s has one status', async (_, events, expected) => {
  expect(await statusOf(events)).toBe(expected);
});

test('every command and the rules give the first of two ends', async () => {
  const log = logOf([act, end, secondEnd]);
  const answer = async (...args: string[]) => (await runHere([...args, log, '-j'])).stdout;
  const status = { status: 'vetoed' };
  expect(JSON.parse(await answer('list'))).toMatchObject([{ ...status, why: 'refused' }]);
  expect(JSON.parse(await answer('show'))).toMatchObject({
    ...status,
    is_over: true,
    why: [{ kind: 'terminate', text: 'refused', line: 3 }],
  });
  expect(JSON.parse(await answer('read'))).toMatchObject(status);
  expect((await runHere(['list', log, '--status', 'vetoed', '-q'])).stdout).not.toBe('');
  expect((await runHere(['list', log, '--status', 'ok', '-q'])).stdout).toBe('');
  const { tail } = await answers([act, end, secondEnd]);
  expect(tail).toEqual({ isEnded: true, isPaused: false });
  const stateWith = (outcome: string) => ({
    episode: { started_at: '2026-04-01T10:00:00Z' },
    outcomes: { status: outcome },
  });
  const projector = await noesis.projector?.();
  await readLog(log, noesis.form, { record: (record) => projector?.add(record), corrupt() {} });
  const differing = (stored: unknown) => projector?.compare?.(stored).differences.map(({ path }) => path);
  expect(differing(stateWith('vetoed'))).toEqual([]);
  expect(differing(stateWith('ok'))).toEqual(['outcomes.status']);
  const verified = await answer('verify');
  expect(verified).toContain('order/terminate-repeated');
  expect(verified).toContain('the episode already ended on line 3');
});

test('an interrupt after which the run worked on is no reason', async () => {
  expect((await answers([interrupt, act])).account?.why).toEqual([]);
  expect((await answers([act, interrupt])).account?.why).toMatchObject([{ kind: 'interrupt' }]);
});

test.each<[string, JsonObject, string]>([
  ['an interrupt', interrupt, 'interrupted'],
  ['an error', error, 'running'],
])('list finds %s before much else', async (_, first, expected) => {
  const many = Array.from({ length: 1000 }, () => event('observe', { text: 'x'.repeat(200) }));
  expect(await statusOf([act, first, ...many])).toBe(expected);
});

test.each<[string, JsonObject[], JsonObject[]]>([
  ['and then a second end', [act, end], [secondEnd]],
  ['and then a second end and work', [act, end], [secondEnd, act]],
  ['and no second end', [act, end], [act]],
  ['and then an error', [act, end], [error]],
  ['the end is a runtime event', [event('runtime', { type: 'terminate', status: 'vetoed' })], [secondEnd]],
  [
    'a mention of an end before it',
    [event('observe', { said: 'terminate', words: ['terminate'] }), end],
    [act],
  ],
])('a run with much work after its end has the status of its first end: %s', async (_, first, last) => {
  const much = Array.from({ length: 2000 }, () => event('act', { tool: 'x'.repeat(200) }));
  const log = logOf([...first, ...much, ...last]);
  expect(summarize('events.jsonl', undefined, log).status).toBe('vetoed');
  expect(await statusOf([...first, ...much, ...last])).toBe('vetoed');
});

const long = 'x'.repeat(70_000);
const longEnd = event('terminate', { status: 'ok', message: long });
const longMemory = event('memory', { text: long });

test.each<[string, JsonObject[], string]>([
  ['the end', [longEnd], 'ok'],
  ['the end, and work follows it', [longEnd, event('memory', {}), act], 'ok'],
  ['what follows the end', [end, longMemory, longMemory, act], 'vetoed'],
  ['the end and what follows it', [longEnd, longMemory, act, longMemory], 'ok'],
  ['what follows an interrupt', [interrupt, longMemory, longMemory], 'interrupted'],
  ['work', [interrupt, event('act', { tool: long })], 'running'],
  ['what follows one of two ends', [end, longMemory, secondEnd, longMemory], 'vetoed'],
  ['a memory', [act, end, event('memory', { text: long.repeat(6) }), event('insight', {})], 'vetoed'],
])('a run has one status if the record of %s is long', async (_, events, expected) => {
  expect(await statusOf(events)).toBe(expected);
});

test.each<[string, JsonObject]>([
  ['that give no status', event('governance', { decision: 'allow', text: 'x'.repeat(1000) })],
  ['that do not decide the status', event('runtime', { status: 'ok', text: 'x'.repeat(1000) })],
  ['that only mention an end', event('observe', { text: `terminate ${'x'.repeat(1000)}` })],
])('list does not read a long log of events %s to its start', (_, filler) => {
  const log = logOf([interrupt, ...Array.from({ length: 2000 }, () => filler)]);
  linesRead.count = 0;
  summarize('events.jsonl', undefined, log);
  // Twice, for the status and for the time, would be 640.
  expect(linesRead.count).toBeLessThan(500);
});

const anyEvent = fc.oneof(
  fc.constantFrom(interrupt, pause, resume, act, error, end),
  fc
    .tuple(
      fc.constantFrom(
        'start',
        'observe',
        'plan',
        'act',
        'reflect',
        'insight',
        'learn',
        'terminate',
        'error',
        'odd',
      ),
      fc.constantFrom({}, null, 'text', { task: 'do it' }, { status: 'ok' }, { status: 7 }),
    )
    .map(([phase, payload]) => event(phase, payload)),
  fc
    .tuple(
      fc.constantFrom('interrupt', 'checkpoint', 'resume', 'state_projection', 'other'),
      fc.constantFrom('interrupted', 'paused', 'resuming', 'running', 'error', 'success', 'partial', 'odd'),
    )
    .map(([type, status]) => runtime(type, status)),
  fc.constant(event('runtime', { kind: 'terminate', status: 'ok' })),
);

test('every command gives one status, whatever the events are', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyEvent, { minLength: 1, maxLength: 12 }), async (events) => {
      await statusOf(events);
    }),
    { numRuns: times(500, 100) },
  );
});
