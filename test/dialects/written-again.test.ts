import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { writeTree } from '../support/temp.ts';

// A program, or a copy of a log, may write all records again. The session has each call once.

const json = async (...args: string[]) => JSON.parse((await runHere([...args, '-j'])).stdout);

/** How much the commands count. */
async function counts(log: string): Promise<object> {
  const [[listed], shown, counted] = [
    await json('list', log),
    await json('show', log),
    await json('stats', log),
  ];
  return {
    turns: [listed.turns, shown.steps.length],
    tokens: [listed.tokens, shown.tokens, counted.tokens],
    tools: shown.tools
      .map(({ tool, calls, failed }: Record<string, unknown>) => [tool, calls, failed])
      .sort(),
    counted: counted.tools,
  };
}

test.each([
  'gemini/resumed-0.61.0.jsonl',
  'gemini/resumed-0.39.1.jsonl',
  'gemini/cancel-compress-rewind-0.61.0.jsonl',
  'pi/v1-interrupt-compaction-0.13.2.jsonl',
  'pi/v3-plain-resumed-0.87.1.jsonl',
  'qwen/resumed-0.24.4.jsonl',
])('of %s', async (sample) => {
  const [name, text] = [basename(sample), readFileSync(join(SAMPLES, sample), 'utf8').trimEnd()];
  const logOf = (folder: string, records: string) =>
    join(writeTree({ [`${folder}/${name}`]: `${records}\n` }), folder, name);
  expect(await counts(logOf('twice', `${text}\n${text}`))).toEqual(await counts(logOf('once', text)));
});

/** Where verify finds something that people must look at, by line. */
async function doubts(name: string, records: readonly string[]): Promise<string[]> {
  const log = join(writeTree({ [`log/${name}`]: `${records.join('\n')}\n` }), 'log', name);
  const { episodes } = (await json('verify', log)) as {
    episodes: { findings: { severity: string; code: string; line?: number; message: string }[] }[];
  };
  const all = episodes.flatMap(({ findings }) => findings).filter(({ severity }) => severity !== 'info');
  return all.map(({ code, line, message }) => `${line} ${code}: ${message}`);
}

const WITHOUT_IDS = [
  'pi/v1-interrupt-compaction-0.13.2.jsonl',
  'codex/sessions/2026/11/22/rollout-2026-11-22T08-35-41-01a20265-94b7-76a3-be39-f4c28319c6fc.jsonl',
];

describe.each(WITHOUT_IDS)('verify of %s, whose records have no ids,', (sample) => {
  const records = readFileSync(join(SAMPLES, sample), 'utf8').trimEnd().split('\n');
  const count = records.length;

  test('finds any record that is in the log again', async () => {
    for (const [at, record] of records.entries()) {
      const found = await doubts(basename(sample), records.toSpliced(at + 1, 0, record));
      const twice = found.filter((one) => one.startsWith(`${at + 2} `));
      expect(twice.join(), record).toContain(
        at === 0 && sample.startsWith('pi') ? 'a session header again' : `line ${at + 1}`,
      );
    }
  });

  test('finds that the log is in its file twice, once', async () => {
    const found = await doubts(basename(sample), [...records, ...records]);
    expect(found.filter((one) => one.includes('event/repeated-record'))).toHaveLength(1);
    expect(found.join()).toContain(`from here to line ${2 * count} are in the log already, on lines `);
  });
});

test('records that were copied with one time may be equal, and those of the thread itself not', async () => {
  const [origin, thread] = ['01a19c4a-cae0-7d8f-b025-c2bcdf030d7f', '01a19cbe-c239-788d-9533-740ae5615230'];
  const at = (second: number, type: string, payload: object) =>
    JSON.stringify({ timestamp: `2026-11-02T15:51:${second}.000Z`, type, payload });
  const head = (id: string, more: object) =>
    at(49, 'session_meta', { id, cwd: '/work', cli_version: '0.128.0', ...more });
  const thought = (second: number) => at(second, 'response_item', { type: 'reasoning', summary: [] });
  const turn = (second: number, id: string) => at(second, 'event_msg', { type: 'task_started', turn_id: id });
  const fork = (...own: string[]) => [
    head(thread, { forked_from_id: origin }),
    head(origin, {}),
    turn(49, '01a19c4a-cb44-7687-be20-7e1461797b70'),
    ...[thought(49), thought(49)],
    turn(55, '01a19cbe-d000-7687-be20-7e1461797b70'),
    ...own,
  ];
  const name = `rollout-2026-11-02T15-51-49-${thread}.jsonl`;
  expect(await doubts(name, fork(thought(56), thought(57)))).toEqual([]);
  expect(await doubts(name, fork(thought(56), thought(56)))).toEqual([
    '8 event/repeated-record: the same record is already on line 7',
  ]);
});
