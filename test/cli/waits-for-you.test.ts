import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { writeTree } from '../support/temp.ts';

const ID = 'abc00005-0000-4000-8000-0000004c4b40';
const at = (second: number) => `2026-09-01T09:00:0${second}.000Z`;
const lines = (records: readonly object[]) => records.map((one) => `${JSON.stringify(one)}\n`).join('');

/** A session of Claude Code whose last call is one of a tool. */
const claude = (tool: string, input: object, isAnswered = false) => {
  const record = (n: number, type: string, content: unknown) => ({
    parentUuid: n === 1 ? null : `abc00000-0000-4000-8000-00000000000${n - 1}`,
    isSidechain: false,
    type,
    message: {
      id: `msg_${n}`,
      role: type,
      ...(type === 'assistant' && { model: 'claude-sonnet-5' }),
      content,
    },
    uuid: `abc00000-0000-4000-8000-00000000000${n}`,
    timestamp: at(n),
    cwd: '/home/usr/shop',
    sessionId: ID,
    version: '2.1.237',
  });
  const result = [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'blue' }];
  const records = [
    record(1, 'user', 'Paint the fence'),
    record(2, 'assistant', [{ type: 'tool_use', id: 'toolu_1', name: tool, input }]),
    ...(isAnswered ? [record(3, 'user', result)] : []),
  ];
  return join(writeTree({ [`${ID}.jsonl`]: lines(records) }), `${ID}.jsonl`);
};

describe('an open turn', () => {
  const question = { questions: [{ question: 'Which colour?', options: [] }] };

  test.each(['AskUserQuestion', 'ExitPlanMode'])('that ends with %s waits for the user', async (tool) => {
    const log = claude(tool, question);
    const { stdout } = await runHere(['show', log]);
    expect(stdout.replace(/\s+/g, ' ')).toMatch(
      new RegExp(`waits for you ${tool}.*\\(since 2026-09-01 09:00:02 UTC\\)`),
    );
    const [listed] = JSON.parse((await runHere(['list', log, '-j'])).stdout);
    expect(listed).toMatchObject({
      status: 'open',
      why: expect.stringMatching(/^waits for you: .*since 2026/),
    });
  });

  test('no longer waits once there is an answer, and another call is just open', async () => {
    for (const log of [claude('AskUserQuestion', question, true), claude('Bash', { command: 'ls' })])
      expect((await runHere(['show', log])).stdout).not.toContain('waits for you');
    expect((await runHere(['show', claude('Bash', { command: 'ls' })])).stdout).toMatch(
      /^open call +Bash: ls/m,
    );
  });

  test('of Codex that ends with a request for approval waits for the user', async () => {
    const records = [
      {
        type: 'session_meta',
        payload: {
          id: ID,
          timestamp: at(0),
          cwd: '/home/usr',
          originator: 'codex_cli_rs',
          cli_version: '0.58.0',
        },
      },
      { type: 'event_msg', payload: { type: 'task_started' } },
      {
        type: 'response_item',
        payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go' }] },
      },
      { type: 'event_msg', payload: { type: 'user_message', message: 'Go' } },
      {
        type: 'response_item',
        payload: { type: 'function_call', name: 'shell', arguments: '{"command":["rm","a"]}', call_id: 'c1' },
      },
      {
        type: 'event_msg',
        payload: { type: 'exec_approval_request', call_id: 'c1', command: ['rm', 'a'], cwd: '/home/usr' },
      },
    ].map((one, n) => ({ timestamp: at(n), ...one }));
    const name = `rollout-2026-09-01T09-00-00-${ID}.jsonl`;
    const { stdout } = await runHere(['show', join(writeTree({ [name]: lines(records) }), name)]);
    expect(stdout.replace(/\s+/g, ' ')).toMatch(/waits for you shell: .*\(since 2026-09-01 09:00:05 UTC\)/);
  });
});

test('diff says how many events all logs of a thread have, as show does', async () => {
  const folder = join(SAMPLES, 'parts');
  const logs = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /rollout-.*\.jsonl$/.test(path),
  );
  expect(logs.length).toBeGreaterThan(0);
  for (const log of logs) {
    const path = join(folder, log);
    const shown = JSON.parse((await runHere(['show', path, '-j'])).stdout);
    const { a } = JSON.parse((await runHere(['diff', path, path, '-j'])).stdout);
    expect([basename(log), a.events]).toEqual([basename(log), shown.events]);
  }
});
