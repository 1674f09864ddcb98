import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runHere } from '../support/in-process.ts';
import { writeTree } from '../support/temp.ts';

const state = (day: string, task: string, status: string) =>
  JSON.stringify({
    episode: { started_at: `2026-03-${day}T09:00:00Z` },
    goal: { task },
    outcomes: { status },
  });
const padded = (size: number) => `${' '.repeat(size - 1)}\n`;

// Two are equal in all but their starts, and of one nothing is known.
const cwd = writeTree(
  {
    'ep_a/state.json': state('01', 'read', 'ok'),
    'ep_a/events.jsonl': padded(200),
    'ep_b/state.json': state('04', 'write', 'ok'),
    'ep_b/events.jsonl': padded(100),
    'ep_c/state.json': state('02', 'write', 'error'),
    'ep_c/events.jsonl': padded(200),
    'ep_d/readme': '',
    'ep_e/readme': '',
  },
  join(writeTree({}), '.noesis/episodes'),
).slice(0, -'/.noesis/episodes'.length);

const listed = async (...args: string[]): Promise<string> => {
  const { stdout } = await runHere(['list', '-q', ...args], { cwd });
  return stdout.replaceAll(/ep_|\n/g, '');
};

test.each([
  [[], 'bcaed'],
  [['--sort', 'start'], 'bcaed'],
  [['--sort', 'id'], 'abcde'],
  [['--sort', 'status'], 'cbaed'],
  [['--sort', 'size'], 'cabed'],
  [['--sort', 'task'], 'abced'],
  [['--sort', 'task', '--status', 'ok,unknown'], 'abed'],
  [['--since', '2026-03-02'], 'bc'],
  [['--until', '2026-03-03'], 'ca'],
  [['--since', '2026-03-02', '--until', '2026-03-03T00:00:00Z', '--sort', 'id'], 'c'],
  [['latest'], 'b'],
])('list %j', async (args, order) => {
  expect(await listed(...args)).toBe(order);
});
