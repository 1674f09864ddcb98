import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { newestFirst } from '../../src/find/homes.ts';
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

test.each([2020, 2030])(
  'latest is what list prints first if one log is compressed, written in %i',
  async (year) => {
    const record = (at: string) => {
      const event = {
        id: at,
        phase: 'start',
        agent_id: 'a',
        timestamp: `${at}-01-01T09:00:00Z`,
        payload: {},
      };
      return Buffer.from(`${JSON.stringify({ ...event, episode_id: 'ep_x', evidence_ids: [] })}\n`);
    };
    const root = writeTree({
      '.noesis/episodes/mine/events.jsonl': record('2026'),
      '.noesis/episodes/other/events.jsonl.gz': gzipSync(record('2028')),
    });
    const packed = join(root, '.noesis/episodes/other/events.jsonl.gz');
    utimesSync(packed, new Date(year, 1, 1), new Date(year, 1, 1));
    const first = async (...args: string[]) => {
      const { stdout } = await runHere(['list', '-j', ...args], { cwd: root });
      return (JSON.parse(stdout) as { path: string }[])[0]?.path;
    };
    expect(await first('latest')).toBe(await first());
    expect((await runHere(['events', 'latest', '-j'], { cwd: root })).stdout).toBe(
      record(year === 2030 ? '2028' : '2026').toString(),
    );
  },
);

test('list shows the time by which it orders runs: the latest one, even if an older record is the last', async () => {
  const record = (phase: string, day: string) =>
    `${JSON.stringify({ id: day, phase, timestamp: `2026-01-${day}T09:00:00Z`, payload: {}, episode_id: 'e' })}\n`;
  const root = writeTree({
    'late.jsonl': record('start', '01') + record('act', '09') + record('act', '03'),
    'early.jsonl': record('start', '02') + record('act', '05'),
  });
  const { stdout } = await runHere(['list', '.', '-j'], { cwd: root });
  expect(JSON.parse(stdout)).toMatchObject([
    { episode: 'late.jsonl', written_at: '2026-01-09T09:00:00Z', took_ms: 8 * 86_400_000 },
    { episode: 'early.jsonl', written_at: '2026-01-05T09:00:00Z' },
  ]);
  const logs = ['early.jsonl', 'late.jsonl'].map((name) => ({ name, log: join(root, name) }));
  expect(newestFirst(logs).map(({ name }) => name)).toEqual(['late.jsonl', 'early.jsonl']);
});
