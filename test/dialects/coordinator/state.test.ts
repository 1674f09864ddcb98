import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { verifyCoordinator } from '../../../src/dialects/coordinator/verify.ts';
import { DEFAULT_VERIFY_OPTIONS } from '../../../src/findings/options.ts';
import { writeTree } from '../../support/temp.ts';
import { brief } from '../verify-events.ts';
import { log, start, wholeTask } from './logs.ts';

const LOG = 'event-log.jsonl';

const toText = (events: readonly JsonObject[]): string =>
  log(events)
    .map((event) => `${JSON.stringify(event)}\n`)
    .join('');

const verify = (state: unknown, text = toText([start, ...wholeTask('1-1-1')]), name = LOG) => {
  const dir = writeTree({
    [name]: text,
    'state.json': typeof state === 'string' ? state : JSON.stringify(state),
  });
  return verifyCoordinator({ name, log: join(dir, name), dir }, DEFAULT_VERIFY_OPTIONS);
};

const whole = {
  session_id: 's1',
  saved_at: '2026-01-17T09:10:00Z',
  completed_tasks: ['1-1-1'],
  available_tasks: ['2-1-1'],
};

/** Every state holds something that no event says. */
const REST = 'info projection/not-derivable 1';
const without = (found: readonly string[]) => found.filter((text) => text !== REST);

describe('state.json next to the log', () => {
  test.each<[string, unknown, string[]]>([
    ['that fits', whole, []],
    ['that is behind', { ...whole, completed_tasks: [] }, ['warn projection/state 1']],
    ['saved before the log went on', { ...whole, saved_at: '2026-01-17T09:00:02Z', completed_tasks: [] }, []],
    ['that is torn', '{"session_id":"s1",', ['error state/invalid-json 1']],
    ['that is a list', '[]', ['error state/invalid-json 1']],
    ['without its session', { ...whole, session_id: undefined }, ['warn state/schema 1']],
    [
      'with a number for its tasks',
      { ...whole, completed_tasks: 3 },
      ['warn projection/state 1', 'warn state/schema 1'],
    ],
    [
      'with a task that the log never completed',
      { ...whole, completed_tasks: ['1-1-1', '1-1-2'] },
      ['warn projection/state 1'],
    ],
    [
      'with rows for tasks',
      { ...whole, completed_tasks: [{ task_id: '1-1-1' }, { task_id: '9' }] },
      ['warn projection/state 1'],
    ],
    [
      'with a map of tasks',
      { ...whole, completed_tasks: { '1-1-1': {}, 9: {} } },
      ['warn projection/state 1'],
    ],
  ])('%s', async (_, state, expected) => expect(without(brief(await verify(state)))).toEqual(expected));

  test('that explains a difference by its time is not consistent', async () => {
    const saved = { ...whole, saved_at: '2026-01-17T09:00:02Z' };
    const { level, notProven, findings } = await verify({ ...saved, completed_tasks: [] });
    expect([level, notProven]).toEqual([
      'readable',
      'not all of the state was compared, so it may contradict the log',
    ]);
    expect(findings[0]?.message).toContain('the state was saved before this event');
    expect((await verify(saved)).level).toBe('consistent');
    expect((await verify(whole)).level).toBe('consistent');
  });

  test('names the task and its progress', async () => {
    const { findings } = await verify({ ...whole, completed_tasks: ['1-1-1', '1-1-2'] });
    expect(findings).toMatchObject([
      { code: 'projection/not-derivable', message: expect.stringMatching(/available_tasks \(only the plan/) },
      {
        file: 'state.json',
        path: 'completed_tasks[1]',
        actual: '1-1-2',
        message: expect.stringMatching(/1-1-2/),
      },
    ]);
  });

  test('very many tasks are reported as a count', async () => {
    const many = Array.from({ length: 300 }, (_, index) => `x-${index}`);
    const { findings } = await verify({ ...whole, completed_tasks: many });
    expect(findings).toHaveLength(22);
    expect(findings.some(({ message }) => message.startsWith('281 more differences'))).toBe(true);
  });

  test('is not compared with a damaged log, but with the only log of the folder if it has another name', async () => {
    const ahead = { ...whole, completed_tasks: ['9'] };
    expect(brief(await verify(ahead, `${toText([start])}{"torn`))).toEqual(['error log/truncated 2']);
    const copy = await verify(ahead, undefined, 'copy.jsonl');
    expect(copy.stages.find(({ name }) => name === 'state')).toMatchObject({ status: 'ran' });
    expect(copy.findings.map(({ code }) => code)).toContain('projection/state');
  });

  test('a checkpoint in a log that was written again counts', async () => {
    const remade = toText([{ event_type: 'state_checkpoint', completed_tasks: ['7'] }]);
    const report = await verify({ ...whole, completed_tasks: ['7'] }, remade);
    expect(report.findings.filter(({ code }) => code === 'projection/state')).toEqual([]);
  });
});
