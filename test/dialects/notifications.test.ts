import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SessionDocument } from '../../src/dialects/sessions/kit/session.ts';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';

const QWEN = join(
  SAMPLES,
  'doctor/qwen/original/.qwen/projects/-home-usr-work/chats/aaaaaaaa-0000-4000-8000-000000000001.jsonl',
);

test('qwen: a notification of a subagent is no prompt of the user, and says how the subagent ended', async () => {
  const { stdout } = await runHere(['project', QWEN, '-j']);
  const { turns, agents } = JSON.parse(stdout) as SessionDocument;
  expect(turns.map(({ prompt }) => /T\d/.exec(prompt)?.[0])).toEqual(['T1', 'T2', 'T3', 'T4', 'T5']);
  expect(agents).toEqual([
    {
      id: 'general-purpose-call_56n1gdhjscgz',
      name: 'general-purpose',
      description: 'look',
      status: 'completed',
      tokens: 240,
      calls: 1,
      line: 34,
    },
  ]);
});

test('qwen: what the program puts before a prompt is not among the words of the user', async () => {
  const { stdout } = await runHere(['project', QWEN, '-j']);
  const { turns } = JSON.parse(stdout) as SessionDocument;
  expect(turns.at(-1)?.prompt).toBe('T5 plain');
  expect((await runHere(['read', QWEN])).stdout).toContain('added by the program: <system-reminder>');
});

test('qwen: the answer to a notification is counted once', async () => {
  const { stdout } = await runHere(['project', QWEN, '-j']);
  const { session, turns } = JSON.parse(stdout) as SessionDocument;
  const tokens = turns.map(({ tokens: { input = 0, output = 0 } = {} }) => input + output);
  // The log has 14 requests of 120 tokens each.
  expect(tokens.reduce((sum, count) => sum + count, 0)).toBe(1680);
  expect(session['requested_tokens']).toBe(1680);
});

test('qwen: the text of a notification is in the story, and its type is known', async () => {
  const { stdout } = await runHere(['read', QWEN]);
  expect(stdout).toContain('notification: Background agent "general-purpose: look" completed.');
  expect(stdout).not.toContain('<task-notification>\n');
  expect((await runHere(['verify', QWEN, '-j'])).stdout).not.toContain('event/unknown-type');
});
