import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXAMPLES, SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';

// What two commands say of the same record is the same.

const SHOP = join(SAMPLES, 'claude-code/projects/-home-usr-shop');

/** The line of an output that begins with a line of the log. */
async function rowOf(line: number, ...args: string[]): Promise<string> {
  const { stdout } = await runHere(args);
  return stdout.split('\n').find((row) => new RegExp(`^${line}\\b`).test(row)) ?? '';
}

test('offsets of events and timeline count from the beginning of the session', async () => {
  const offset = /\+[\dms.]+/;
  const [prompt, said] = [await rowOf(7, 'events', SHOP), await rowOf(7, 'timeline', SHOP)];
  expect(offset.exec(prompt)?.[0]).toBe('+0.500s');
  expect(offset.exec(said)?.[0]).toBe('+0.500s');
});

test('events has the reason of an API error that show has', async () => {
  const reason = 'Unable to connect to API (ECONNRESET)';
  expect((await runHere(['show', SHOP])).stdout).toContain(reason);
  expect(await rowOf(18, 'events', SHOP)).toContain(reason);
});

test('events has the output of a failed command of Gemini CLI that show has', async () => {
  const log = join(SAMPLES, 'gemini/cancel-compress-rewind-0.61.0.jsonl');
  const reason = "ls: cannot access '/nowhere/shed': No such file or directory";
  expect((await runHere(['show', log, '--full'])).stdout.replaceAll(/\s+/g, ' ')).toContain(reason);
  const { stdout } = await runHere(['events', log, '--failed']);
  expect(stdout).toContain(reason);
  expect(stdout).not.toContain('<untrusted_context>');
});

const COPILOT = join(SAMPLES, 'copilot/session-state/78f0d2e6-72c9-40a3-826e-202621740d7a');

test.each([
  ['read', SHOP],
  ['read', SHOP, '-f', 'markdown'],
  ['show', SHOP, '--full'],
  ['show', SHOP, '35'],
  ['events', SHOP, '--failed'],
  ['read', COPILOT],
  ['show', COPILOT, '--full'],
  ['events', COPILOT, '--failed'],
  ['diff', COPILOT, SHOP],
  ['read', join(EXAMPLES, '.noesis/episodes/ep_01KJQA4N40CCE7NY92CB90Q783')],
])('a call that was not allowed is refused: %s %s %s', async (...args) => {
  const { stdout } = await runHere(args);
  expect(stdout).toContain('refused');
  // Its own output may say in other words that it was not allowed.
  expect(stdout).not.toMatch(/⊘ denied|denied call|→ denied|^ *\d+ +result +denied|"denied"/m);
});

test('the status of a call that was not allowed has one name in JSON', async () => {
  const [read, show] = [await runHere(['read', SHOP, '-j']), await runHere(['show', SHOP, '-j'])];
  expect(read.stdout).toContain('"status": "denied"');
  expect(show.stdout).toContain('"kind": "denied call"');
});

test('list, read and show agree on the title of a session', async () => {
  const log = join(SAMPLES, 'opencode/export/plain-1.0.185.json');
  const title = 'Counting birds';
  expect((await runHere(['list', log])).stdout).toContain(title);
  expect((await runHere(['read', log])).stdout.split('\n')[0]).toBe(title);
  const shown = (await runHere(['show', log])).stdout;
  expect(shown).toMatch(/^Title {5}Counting birds\nTask {6}\S/m);
  const { stdout } = await runHere(['show', join(SAMPLES, 'claude-code/projects/-home-usr-git-sync')]);
  expect(stdout).toMatch(/^Task {6}\S/m);
});
