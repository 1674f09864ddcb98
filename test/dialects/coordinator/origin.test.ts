import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { originAnswer } from '../../support/origin/coordinator/answer.ts';
import { dispatch, happened, log, originAnswerTo } from './logs.ts';

const SAMPLES = join(import.meta.dirname, '../../samples/coordinator');

const read = (name: string) =>
  readFileSync(join(SAMPLES, name), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as JsonObject);

/** The findings about a file with this text. */
async function answerTo(text: string | Buffer) {
  const dir = mkdtempSync(join(tmpdir(), 'noesis-origin-'));
  try {
    writeFileSync(join(dir, 'log'), text);
    return await originAnswer(join(dir, 'log'));
  } finally {
    rmSync(dir, { recursive: true });
  }
}

describe('the samples', () => {
  const { _initial_state: _, ...expected } = JSON.parse(
    readFileSync(join(SAMPLES, 'expected-origin.json'), 'utf8'),
  ) as Record<string, JsonObject>;

  test.each(Object.entries(expected))('%s: the origin answers so', async (name, answer) => {
    expect(await originAnswer(join(SAMPLES, name))).toEqual(answer);
    if ('raises' in (answer['state_diff_from_empty'] as JsonObject)) return;
    const { validate: __, ...projected } = answer;
    expect(originAnswerTo(read(name))).toEqual(projected);
  });
});

describe('the origin', () => {
  const state = (...events: JsonObject[]) => originAnswerTo(log(events))['state_diff_from_empty'];

  test('adds a row with each dispatch, and marks the stale one', () => {
    const events = [
      dispatch('1', 'd'),
      dispatch('1', 'e'),
      happened('developer_ready_for_review', { task_id: '1', agent_id: 'e' }),
    ];
    expect(state(...events)).toMatchObject({
      in_progress_tasks: [
        { agent_id: 'd', status: 'awaiting-review' },
        { agent_id: 'e', status: 'implementing' },
      ],
    });
  });

  test('sees only flat members', () => {
    const flat = { event_type: 'developer_incomplete', task_id: '1', escalate: true };
    const nested = happened('developer_incomplete', { task_id: '1', escalate: true });
    expect(state(dispatch('1', 'd'), flat)).toMatchObject({
      in_progress_tasks: [{ status: 'awaiting-divine-guidance' }],
    });
    expect(state(dispatch('1', 'd'), nested)).toMatchObject({
      in_progress_tasks: [{ status: 'implementing' }],
    });
  });

  test('throws if a key is missing', () => {
    expect(state({ event_type: 'developer_blocked' })).toEqual({ raises: 'KeyError' });
    expect(originAnswerTo([{ event_type: 'expert_created' }])['state_diff_from_empty']).toEqual({
      raises: 'KeyError',
    });
  });

  test('queues a task again while its critic is at work', () => {
    const events = [
      happened('developer_ready_for_review', { task_id: '1' }),
      happened('critic_dispatched', { task_id: '1' }),
    ];
    expect(originAnswerTo(log(events))['pending_queues']).toEqual({
      pending_critique: ['1'],
      pending_audit: [],
    });
  });

  test.each<[string, string | Buffer, JsonObject]>([
    ['an empty file', '', { status: 'valid' }],
    ['blank lines', '\n{"event_type":1,"timestamp":null}\n\n', { status: 'valid' }],
    ['a missing key', '{"event_type":"x"}\n', { raises: 'ValueError' }],
    ['a list', '[]\n', { raises: 'ValueError' }],
    ['a number', '5\n', { raises: 'TypeError' }],
    ['a text with both words', '"event_type timestamp"\n', { status: 'valid' }],
    ['NaN', '{"event_type":NaN,"timestamp":1}\n', { status: 'valid' }],
    [
      'a byte order mark',
      '\ufeff{}',
      {
        status: 'corrupted',
        recoverable: true,
        corruption_line: 1,
        last_valid_line: 0,
        error: 'Unexpected UTF-8 BOM (decode using utf-8-sig): line 1 column 1 (char 0)',
      },
    ],
    ['bytes that are no text', Buffer.from([0xff, 0x0a]), { raises: 'UnicodeDecodeError' }],
    [
      'a torn line',
      '{"event_type":"x","timestamp":"y"}\r\n{"a": é',
      {
        status: 'corrupted',
        recoverable: true,
        corruption_line: 2,
        last_valid_line: 1,
        error: 'Expecting value: line 1 column 7 (char 6)',
      },
    ],
  ])('validates %s', async (_, text, expected) => expect((await answerTo(text)).validate).toEqual(expected));

  test('rebuilding fails on a blank line, which validation skips', async () => {
    expect(await answerTo('{"event_type":"x","timestamp":"y"}\n\n')).toEqual({
      validate: { status: 'valid' },
      state_diff_from_empty: { raises: 'JSONDecodeError' },
      pending_queues: { raises: 'JSONDecodeError' },
    });
  });

  test('a missing file can be recovered, an unreadable one cannot', async () => {
    expect((await originAnswer('/nonexistent/event-log.jsonl')).validate).toEqual({
      status: 'missing',
      recoverable: true,
    });
    expect((await originAnswer(tmpdir())).validate).toEqual({ status: 'unreadable', recoverable: false });
  });
});
