import { expect, test } from 'vitest';
import type { EpisodeSummary } from '../../src/find/summary.ts';
import { renderList } from '../../src/show/render/episode-list.ts';
import { listSummary, showHint } from '../../src/show/render/list-foot.ts';
import { plain } from '../../src/show/render/style.ts';

const episode = (bytes: number | undefined, more: Partial<EpisodeSummary> = {}): EpisodeSummary => ({
  episode: 'ep_1',
  path: '/ep_1',
  dialect: 'noesis',
  started_at: '2026-03-02T09:00:00Z',
  task: 'Prepare the release',
  status: 'ok',
  sealed: true,
  ...(bytes !== undefined && { log_bytes: bytes }),
  ...more,
});

const nameOf = ({ episode: id }: EpisodeSummary) => ({ full: id, brief: id });

/** The lines of a list without its title. */
const rows = (width: number, ...episodes: EpisodeSummary[]) =>
  renderList(episodes, { style: plain, width, zone: 'utc', nameOf }).text.trimEnd().split('\n').slice(1);

test.each([
  [undefined, 'no log', 'no log'],
  [0, '  0 B', ' 0 B'],
  [999, '999 B', '999 B'],
  [1_000, '1.0 kB', '1 kB'],
  [18_640, '18.6 kB', '19 kB'],
  [999_960, '1.0 MB', '1 MB'],
  [2_500_000_000_000_000, '2500.0 TB', '2500 TB'],
])('a log of %j bytes', (bytes, full, round) => {
  const [wide, narrow] = [120, 80].map((width) => rows(width, episode(bytes))[0]?.replaceAll(/ +/g, ' '));
  expect(wide).toBe(`ep_1 2026-03-02 09:00:00 ok sealed ${full.trim()} Prepare the release`);
  expect(narrow).toBe(`ep_1 2026-03-02 09:00 ok sealed ${round.trim()} Prepare the release`);
});

test.each([
  [60, 'ep_1 2026-03-02 09:00 ok     sealed 1 kB Prepare the release'],
  [51, 'ep_1 2026-03-02 09:00 ok     sealed Prepare the re…'],
  [50, 'ep_1 2026-03-02 09:00 ok     Prepare the release'],
  [36, 'ep_1 2026-03-02 09:00 ok'],
  [20, 'ep_1 ok'],
])('in %i columns the size is left out first, then the seal, the title and the time', (width, row) => {
  expect(rows(width, episode(1000))).toEqual([row]);
});

test('sorted by start, a list shows when runs started', () => {
  const one = episode(1000, { written_at: '2026-03-09T09:00:00Z' });
  const options = { style: plain, width: 80, zone: 'utc', nameOf } as const;
  expect(renderList([one], options).text).toMatch(/TIME UTC .*\n.* 2026-03-09 09:00 /);
  expect(renderList([one], { ...options, sortedBy: 'start' }).text).toMatch(
    /START UTC .*\n.* 2026-03-02 09:00 /,
  );
  const now = Date.UTC(2026, 2, 10, 9);
  expect(renderList([one], { ...options, now }).text).toMatch(/ACTIVE .*\n.* 1 d ago /);
  expect(renderList([one], { ...options, now, sortedBy: 'start' }).text).toMatch(/START .*\n.* 8 d ago /);
});

test('one long status does not take the room of the other columns', () => {
  const [row, other] = rows(
    80,
    episode(1000, { status: 'x'.repeat(500) }),
    episode(1000, { episode: 'ep_2' }),
  );
  expect(row).toBe(`ep_1 2026-03-02 09:00 ${'x'.repeat(19)}… sealed 1 kB Prepare the release`);
  expect(other).toBe(`ep_2 2026-03-02 09:00 ok${' '.repeat(18)} sealed 1 kB Prepare the release`);
});

test('without a terminal no text is cut, and a long one only makes its own row longer', () => {
  const task = 'x'.repeat(500);
  const [long, other] = rows(
    Infinity,
    episode(1000, { task, why: 'no room' }),
    episode(1000, { episode: 'ep_2', why: 'no time' }),
  );
  expect(long).toBe(`ep_1 2026-03-02 09:00:00 ok     sealed 1.0 kB ${task} no room`);
  expect(other).toBe(
    `ep_2 2026-03-02 09:00:00 ok     sealed 1.0 kB ${'Prepare the release'.padEnd(40)} no time`,
  );
});

test('the newest failed run is named, ready to type', () => {
  const width = 80;
  const [good, vetoed] = [
    episode(1, { tone: 'good' }),
    episode(1, { episode: 'ep_12345678', status: 'vetoed', tone: 'doubtful' }),
  ];
  const byId = { nameOf: ({ episode: id }: EpisodeSummary) => ({ full: id, brief: id.slice(0, 7) }), width };
  const path = "it's/ep_12345678";
  expect(showHint([good, vetoed], byId)).toBe('noesis show ep_1234: why its status is vetoed');
  expect(showHint([good, vetoed], { nameOf: () => ({ full: path, brief: path }), width, root: 'runs' })).toBe(
    "noesis show 'it'\\''s/ep_12345678': why its status is vetoed",
  );
  expect(showHint([good, vetoed], { ...byId, root: 'runs' })).toBe(
    'noesis show ep_1234 --root runs: why its status is vetoed',
  );
  expect(showHint([good], byId)).toBe('noesis show ep_1: what happened in this run');
  expect(showHint([vetoed], { nameOf, width: 40 })).toBe('noesis show ep_12345678');
});

test('an id that is too long for its row is on the line below it; if most are, all are', () => {
  const path = `${'l'.repeat(38)}.jsonl`;
  const long = episode(1000, { episode: path });
  expect(rows(80, long, episode(1000), episode(1000))).toEqual([
    '     2026-03-02 09:00 ok     sealed 1 kB Prepare the release',
    `  ${path}`,
    'ep_1 2026-03-02 09:00 ok     sealed 1 kB Prepare the release',
    'ep_1 2026-03-02 09:00 ok     sealed 1 kB Prepare the release',
  ]);
  expect(rows(80, long, long, episode(1000))).toEqual([
    '2026-03-02 09:00 ok     sealed 1 kB Prepare the release',
    `  ${path}`,
    '2026-03-02 09:00 ok     sealed 1 kB Prepare the release',
    `  ${path}`,
    '2026-03-02 09:00 ok     sealed 1 kB Prepare the release',
    '  ep_1',
  ]);
});

const TOKENS = { input: 1, cached: 0, cache_write: 0, output: 0, reasoning: 0 };

test('turns are at least these if a damaged line may have been a prompt', () => {
  const damaged = episode(1000, { dialect: 'codex', sealed: false, turns: 2, lacks: { lines: 1 } });
  const options = {
    style: plain,
    width: 120,
    zone: 'utc',
    nameOf: () => ({ full: 'a', brief: 'a' }),
  } as const;
  expect(renderList([damaged], options).text).toMatch(/ TURNS .*\n.* ≥2 /);
  expect(renderList([{ ...damaged, lacks: { answers: 1 } }], options).text).toMatch(/ TURNS .*\n.* {2}2 /);
});

test('sessions have their turns, tokens and models, and a fork has the session that it continues', () => {
  const session = (id: string, input: number, more: Partial<EpisodeSummary> = {}) =>
    episode(1000, {
      episode: id,
      path: `/${id}`,
      dialect: 'codex',
      sealed: false,
      turns: 2,
      tokens: { ...TOKENS, input },
      model: 'm',
      ...more,
    });
  const list = renderList(
    [
      session('aaaa1111', 999),
      session('bbbb2222', 18_640, { forked_from: 'aaaa1111' }),
      session('cccc3333', 1_500_000, { forked_from: 'gone4444', turns: 12 }),
    ],
    {
      style: plain,
      width: 120,
      zone: 'utc',
      nameOf: ({ episode: id }) => ({ full: id, brief: id.slice(0, 4) }),
    },
  );
  expect(list.text).toBe(
    `ID   TIME UTC            STATUS TURNS TOKENS MODEL    LOG TITLE
aaaa 2026-03-02 09:00:00 ok         2    999 m     1.0 kB Prepare the release
bbbb 2026-03-02 09:00:00 ok         2  18.6k m     1.0 kB fork of aaaa: Prepare the release
cccc 2026-03-02 09:00:00 ok        12   1.5M m     1.0 kB fork of gone4444: Prepare the release
`,
  );
});

const NOW = Date.UTC(2026, 2, 2, 9, 3, 30);

test('a terminal shows ages, projects if they differ, and why a run failed on a line of its own', () => {
  const failed = episode(1000, {
    project: 'shop',
    status: 'error',
    tone: 'bad',
    why: 'Bash: npm test',
    written_at: '2026-03-02T09:03:29Z',
  });
  const other = episode(1000, { project: 'site', dialect: 'otlp' });
  const table = (width: number, ...episodes: EpisodeSummary[]) =>
    renderList(episodes, { style: plain, width, zone: 'utc', nameOf, now: NOW }).text;
  expect(table(80, failed, other)).toBe(`ID   ACTIVE    STATUS PROJECT DIALECT SEAL    LOG TITLE
ep_1 just now  error  shop    noesis  sealed 1 kB Prepare the release
  Bash: npm test
ep_1 3 min ago ok     site    otlp    -      1 kB Prepare the release
`);
  expect(table(120, failed, other)).toBe(`ID   ACTIVE    STATUS PROJECT DIALECT SEAL      LOG TITLE
ep_1 just now  error  shop    noesis  sealed 1.0 kB Prepare the release
  Bash: npm test
ep_1 3 min ago ok     site    otlp    -      1.0 kB Prepare the release
`);
  // The column STATUS already has the word.
  const limit = { ...failed, why: 'error: the limit of turns' };
  expect(table(Infinity, limit)).toContain('1.0 kB Prepare the release the limit of turns');
  // One project says nothing, unless the log names it; nor does one dialect.
  expect(table(80, failed)).not.toMatch(/PROJECT|DIALECT/);
  expect(table(80, { ...failed, cwd: '/home/me/shop' })).toContain('PROJECT');
});

test('--wide shows whole ids, times and paths, and cuts nothing', () => {
  const task = 'x'.repeat(100);
  const list = renderList([episode(1000, { path: '/runs/ep_1', task })], {
    style: plain,
    width: 40,
    zone: 'utc',
    nameOf: ({ episode: id }) => ({ full: id, brief: 'ep' }),
    now: NOW,
    wide: true,
  });
  expect(list.text).toBe(
    `ID   TIME UTC            ACTIVE    STATUS SEAL      LOG PATH       TITLE
ep_1 2026-03-02 09:00:00 3 min ago ok     sealed 1.0 kB /runs/ep_1 ${task}
`,
  );
});

test('values that only some episodes have are marked if they are missing', () => {
  const { status: _, started_at: __, ...little } = episode(1000, { dialect: 'otlp' });
  expect(rows(80, little, { ...episode(1000), started_at: 'soon' })).toEqual([
    'ep_1 ?        unknown otlp    -      1 kB Prepare the release',
    'ep_1 soon     ok      noesis  sealed 1 kB Prepare the release',
  ]);
  expect(rows(80, little)).toEqual(['ep_1 1 kB Prepare the release']);
});

test('the summary counts the shown episodes, and there is no hint if none is shown', () => {
  expect(listSummary([episode(1000), episode(500, { status: 'a\nb' })], 5, [])).toBe(
    '2 of 5 runs: 1 a\\nb, 1 ok; 1.5 kB; not verified',
  );
  expect(showHint([], { nameOf, width: 80 })).toBe('');
});

test('the summary explains only the columns that are shown', () => {
  const tokens = { ...TOKENS, input: 10 };
  const run = episode(1000, { tokens, lacks: { answers: 1 }, subagents: { logs: 2, tokens } });
  const foot = (titles: readonly string[]) => listSummary([run], 1, titles);
  expect(foot(['ID', 'TOKENS'])).toBe(
    '1 run: 1 ok; 1.0 kB; tokens include 2 subagents; ≥ where a log lacks tokens; not verified',
  );
  expect(foot(['ID', 'COST'])).toBe('1 run: 1 ok; 1.0 kB; ≥ where a log lacks tokens; not verified');
  expect(foot(['ID', 'TITLE'])).toBe('1 run: 1 ok; 1.0 kB; not verified');
  const wide = { style: plain, zone: 'utc', nameOf } as const;
  expect(renderList([run], { ...wide, width: Infinity }).titles).toContain('TOKENS');
  expect(renderList([run], { ...wide, width: 36 }).titles).not.toContain('TOKENS');
});

test('further models are counted after the one that was used most', () => {
  const run = episode(1000, { model: 'opus', models: ['opus', 'sonnet', 'haiku'] });
  expect(rows(Infinity, run)[0]).toContain(' opus +2 ');
});

test('in whole lines, no row is padded to the longest reason', () => {
  const [failed, good] = rows(
    Infinity,
    episode(1000, { status: 'error', why: 'x'.repeat(600) }),
    episode(1000, { episode: 'ep_2' }),
  );
  expect(failed).toMatch(/ Prepare the release x{600}$/);
  expect(good).toMatch(/ Prepare the release$/);
});

test.each([100, 80, 60])(
  'in %i columns a list says of which program each run is, also next to long ids and titles',
  (width) => {
    const task = 'T1 look around, then count the birds in notes.txt and the sheds';
    const runs = [
      episode(1000, { episode: 'ses_de8170dc2ffeNiQK60y3gsFDjt', dialect: 'opencode', task, sealed: false }),
      episode(1000, {
        episode: 'bbbbbbbb',
        dialect: 'claude-code',
        task,
        status: 'interrupted',
        sealed: false,
      }),
      episode(1000, { episode: '01a217c3', dialect: 'codex', task, sealed: false }),
    ];
    const now = Date.UTC(2026, 2, 10, 9);
    const { text } = renderList(runs, { style: plain, width, zone: 'utc', nameOf, now });
    const [head, ...lines] = text.trimEnd().split('\n');
    expect(head).toMatch(/STATUS +DIALECT .*TITLE/);
    for (const { dialect = '' } of runs)
      expect(lines.some((line) => line.includes(` ${dialect} `))).toBe(true);
    for (const line of [head ?? '', ...lines]) expect(line.length).toBeLessThanOrEqual(width);
  },
);

test('sorted by the time that runs lasted, a list names it as show does', () => {
  const one = episode(1000, { took_ms: 60_000 });
  const options = { style: plain, width: 80, zone: 'utc', nameOf, sortedBy: 'took' } as const;
  expect(renderList([one], options).text).toMatch(/ LASTED .*\n.* 1m 00s /);
});
