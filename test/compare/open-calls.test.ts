import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { writeTree } from '../support/temp.ts';

const record = (uuid: string, parentUuid: string | null, second: number, more: object) =>
  `${JSON.stringify({
    uuid,
    parentUuid,
    isSidechain: false,
    sessionId: '11111111-1111-4111-8111-111111111111',
    version: '2.1.332',
    cwd: '/w',
    timestamp: `2026-09-01T09:00:0${second}.000Z`,
    ...more,
  })}\n`;

/** A session that ends with a call without a result. */
const sessionWith = (tool: string, input: object): string =>
  record('u1', null, 0, { type: 'user', message: { role: 'user', content: 'Do it' } }) +
  record('a1', 'u1', 2, {
    type: 'assistant',
    message: {
      id: 'm1',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [{ type: 'tool_use', id: 't1', name: tool, input }],
      stop_reason: 'tool_use',
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  });

const cwd = writeTree({
  'read.jsonl': sessionWith('Read', { file_path: '/w/a' }),
  'copy.jsonl': sessionWith('Read', { file_path: '/w/a' }),
  'glob.jsonl': sessionWith('Glob', { file_path: '/w/a' }),
  'bash.jsonl': sessionWith('Bash', { command: 'ls' }),
  'shell.jsonl': sessionWith('Shell', { command: 'ls' }),
});
const diff = (a: string, b: string) => runHere(['diff', `${a}.jsonl`, `${b}.jsonl`], { cwd, home: cwd });

test('calls without a result that differ only in their tool are a difference', async () => {
  const { code, stdout } = await diff('read', 'glob');
  expect([code, stdout]).toEqual([1, expect.stringContaining('Calls     1 in A only, 1 in B only')]);
});

test.each([
  ['read', 'copy'],
  ['bash', 'shell'],
])('a result that neither run has is not the same: %s and %s', async (a, b) => {
  const { code, stdout } = await diff(a, b);
  expect([code, stdout]).toEqual([0, expect.stringContaining('Calls     1 call, the same')]);
  expect(stdout).not.toContain('Results');
});

test('calls without a result whose ends differ are counted once', async () => {
  const [a, b] = ['killed-resumed', 'killed-tool'].map((name) =>
    join(SAMPLES, `opencode/export/${name}-1.18.33.json`),
  );
  const { stdout } = await runHere(['diff', a ?? '', b ?? '', '-j']);
  const { results } = (JSON.parse(stdout) as { behaviour: { results: { same: number; differ: object[] } } })
    .behaviour;
  expect([results.same, results.differ.length]).toEqual([0, 1]);
});
