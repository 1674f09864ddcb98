import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { newestFirst } from '../../src/find/last-activity.ts';
import { SAMPLES } from '../support/cli.ts';
import { runHere, type World } from '../support/in-process.ts';
import { seed, times } from '../support/length.ts';
import { createRandom } from '../support/simulator/random.ts';
import { tempDir, writeTree } from '../support/temp.ts';

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
  expect((await newestFirst(logs)).map(({ name }) => name)).toEqual(['late.jsonl', 'early.jsonl']);
});

/** Where the logs of every program are kept, with the forms that a log can have. */
function everyKindOfLog(): string {
  const home = tempDir();
  const kinds = [
    ['claude-code/projects', '.claude/projects'],
    ['codex/sessions', '.codex/sessions'],
    ['copilot/session-state', '.copilot/session-state'],
    ['gemini', '.gemini/tmp/x/chats'],
    ['qwen', '.qwen/projects/x/chats'],
    ['pi', '.pi/agent/sessions/x'],
    ['opencode/db-wal-1.18.33', '.local/share/opencode'],
    ['opencode/tree-1.1.65/storage', '.local/share/opencode/storage'],
  ] as const;
  for (const [from, to] of kinds) cpSync(join(SAMPLES, from), join(home, to), { recursive: true });
  const document = readFileSync(join(SAMPLES, 'gemini/document-failed-tools-0.21.3.json'), 'utf8');
  const record = {
    sessionId: 'b',
    timestamp: '2026-05-01T09:00:00.000Z',
    type: 'user',
    uuid: 'u',
    cwd: '/x',
  };
  const line = `${JSON.stringify({ ...record, message: { role: 'user', content: 'packed' } })}\n`;
  const chats = join(home, '.gemini/tmp/y/chats');
  writeTree(
    {
      'session-2026-01-01T00-00-aaaa0000.json': document.replaceAll(/"20\d\d-/g, '"2021-'),
      'session-2026-01-01T00-00-aaaa0001.json': document.replaceAll(/"20\d\d-/g, '"2029-'),
      'session-2026-01-01T00-00-aaaa0002.json.gz': gzipSync(document.replaceAll(/"20\d\d-/g, '"2028-')),
    },
    chats,
  );
  writeTree(
    {
      'bbbbbbbb-0000-4000-8000-00000000000b.jsonl.gz': gzipSync(line),
      'bbbbbbbb-0000-4000-8000-00000000000c.jsonl': '{"type":"user"}\n',
    },
    join(home, '.claude/projects/-y'),
  );
  return home;
}

test('latest is what list prints first, for every kind of log and whatever the times of the files', async () => {
  const home = everyKindOfLog();
  const folder = join(home, 'kept');
  mkdirSync(folder, { mode: 0o700 });
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' })
    .map((name) => join(home, name))
    .filter((path) => statSync(path).isFile());
  const random = createRandom(seed);
  const knownPlace = { folder, user: process.getuid?.() ?? 0, build: 'one', pid: process.pid };
  const now = () => Date.UTC(2040, 1);
  const rows = async (args: readonly string[], world: World) => {
    const { stdout } = await runHere(['list', '-j', ...args], { cwd: home, home, now, ...world });
    return JSON.parse(stdout) as { path: string; dialect: string }[];
  };
  for (let round = 0; round < times(3, 1); round += 1) {
    for (const path of files) {
      const time = new Date(Date.UTC(2020 + random.int(10), random.int(12), random.int(28)));
      utimesSync(path, time, time);
    }
    for (const world of [{}, { knownPlace }, { knownPlace }]) {
      // First of all, because the list remembers what it found.
      const [latest] = await rows(['latest'], world);
      const all = await rows([], world);
      expect(latest?.path, `seed ${seed}`).toBe(all[0]?.path);
    }
    for (const dialect of ['gemini', 'claude-code', 'qwen', 'codex', 'copilot', 'pi', 'opencode']) {
      const own = ['--dialect', dialect];
      const [latest] = await rows(['latest', ...own], {});
      expect(latest?.path, `${dialect}, seed ${seed}`).toBe((await rows(own, {}))[0]?.path);
    }
  }
});
