import { expect, test } from 'vitest';
import type { EpisodeSummary } from '../../src/discover/summary.ts';
import { listSummary, renderList, showHint } from '../../src/render/episode-list.ts';
import { plain, styleOf } from '../../src/render/style.ts';

const episode = (bytes: number | undefined, more: Partial<EpisodeSummary> = {}): EpisodeSummary => ({
  episode: 'ep_1',
  path: '/ep_1',
  started_at: '2026-03-02T09:00:00Z',
  task: 'Prepare the release',
  status: 'ok',
  sealed: true,
  ...(bytes !== undefined && { log_bytes: bytes }),
  ...more,
});

/** The lines of a list without its title. */
const rows = (width: number, ...episodes: EpisodeSummary[]) =>
  renderList(episodes, { style: plain, width, zone: 'utc', shortPath: (path) => path.slice(1) })
    .trimEnd()
    .split('\n')
    .slice(1);

test.each([
  [undefined, 'no log', 'no log'],
  [0, '0 B', '0 B'],
  [999, '999 B', '999 B'],
  [1_000, '1.0 kB', '1 kB'],
  [18_640, '18.6 kB', '19 kB'],
  [999_960, '1.0 MB', '1 MB'],
  [2_500_000_000_000_000, '2500.0 TB', '2500 TB'],
])('a log of %j bytes', (bytes, full, round) => {
  expect(rows(120, episode(bytes))).toEqual([
    `2026-03-02 09:00:00 ep_1    ok     sealed ${full} Prepare the release`,
  ]);
  expect(rows(80, episode(bytes))).toEqual([
    `2026-03-02 09:00 ep_1    ok     sealed ${round} Prepare the release`,
  ]);
});

test.each([
  [52, '2026-03-02 09:00 ep_1    ok     sealed 1 kB Prepare…'],
  [51, '2026-03-02 09:00 ep_1    ok     sealed 1 kB'],
  [42, '2026-03-02 09:00 ep_1    ok     sealed'],
  [37, '2026-03-02 09:00 ep_1    ok'],
  [26, 'ep_1    ok'],
])('in %i columns the task is left out first, then the size, the seal and the time', (width, row) => {
  expect(rows(width, episode(1000))).toEqual([row]);
});

test('one long status does not take the room of the other columns', () => {
  const [row, other] = rows(
    80,
    episode(1000, { status: 'x'.repeat(500) }),
    episode(1000, { episode: 'ep_2' }),
  );
  expect(row).toBe(`2026-03-02 09:00 ep_1    ${'x'.repeat(19)}… sealed 1 kB Prepare the release`);
  expect(other).toBe(`2026-03-02 09:00 ep_2    ok${' '.repeat(18)} sealed 1 kB Prepare the release`);
});

test('an id that several episodes have stands with their paths', () => {
  const [one, two, other] = rows(
    80,
    episode(1, { path: '/a/ep_1' }),
    episode(1, { path: '/b/ep_1' }),
    episode(1, { episode: 'ep_2' }),
  );
  expect([one, two, other].map((row) => row?.slice(17, 33))).toEqual([
    'ep_1 (a/ep_1) ok',
    'ep_1 (b/ep_1) ok',
    'ep_2          ok',
  ]);
});

test('the newest that did not end well is named, as one can type it', () => {
  const prefixes = new Map([['ep_12345678', 7]]);
  const width = 80;
  const shortPath = (path: string) => path.slice(1);
  const [good, vetoed] = [
    episode(1, { tone: 'good' }),
    episode(1, { episode: 'ep_12345678', path: "/it's/ep_12345678", status: 'vetoed', tone: 'doubtful' }),
  ];
  expect(showHint([good, vetoed], { prefixes, shortPath, width })).toBe(
    'noesis show ep_1234: why this one is vetoed',
  );
  expect(showHint([good, vetoed], { shortPath, width })).toBe(
    "noesis show 'it'\\''s/ep_12345678': why this one is vetoed",
  );
  expect(showHint([good, vetoed], { prefixes, shortPath, width, root: 'runs' })).toBe(
    'noesis show ep_1234 --root runs: why this one is vetoed',
  );
  expect(showHint([good], { prefixes, shortPath, width })).toBe(
    'noesis show ep_1: what happened in the newest',
  );
});

test('where the line is too short for it, only the command is told', () => {
  const shortPath = (path: string) => path.slice(1);
  const vetoed = episode(1, { path: '/runs/of/today/ep_1', status: 'vetoed', tone: 'doubtful' });
  expect(showHint([vetoed], { shortPath, width: 40 })).toBe('noesis show runs/of/today/ep_1');
});

test('a long name or path takes no room from the other columns, and is enough to name the episode', () => {
  const name = `${'l'.repeat(38)}.jsonl`;
  const one = episode(1000, { episode: `${name}#aaaa-bbbb`, path: `/${name}#aaaa-bbbb` });
  const prefixes = new Map([[one.episode, name.length + 3]]);
  const list = renderList([one], {
    style: plain,
    width: 80,
    zone: 'utc',
    shortPath: (path) => path.slice(1),
    prefixes,
  });
  expect(list.split('\n')[1]).toBe(`2026-03-02 09:00 ${name}#aa… ok     sealed`);
  const deep = '/some/folder/that/lies/deep/below/here/ep_1';
  expect(rows(80, episode(1000, { path: deep }), episode(1000, { path: '/a/ep_1' }))).toEqual([
    '2026-03-02 09:00 ep_1          ok     sealed 1 kB Prepare the release',
    `  ${deep.slice(1)}`,
    '2026-03-02 09:00 ep_1 (a/ep_1) ok     sealed 1 kB Prepare the release',
  ]);
});

test('the beginning of a name that is enough stands out, unless the name is cut before its end', async () => {
  const style = await styleOf(1);
  const cellOf = (width: number) => {
    const options = { style, width, zone: 'utc', shortPath: String } as const;
    return renderList([episode(undefined, { episode: '漢字漢字漢字', task: '' })], options).split('\n')[1];
  };
  expect(cellOf(30)).toContain(style.bold(style.cyan('漢字漢字')) + style.cyan('漢字'));
  expect(cellOf(10)).toContain(style.cyan('漢字…'));
});

test('sessions have their turns, tokens and models, and a fork the session that it goes on from', () => {
  const session = (id: string, tokens: number, more: Partial<EpisodeSummary> = {}) =>
    episode(1000, { episode: id, path: `/${id}`, sealed: false, turns: 2, tokens, model: 'm', ...more });
  const list = renderList(
    [
      session('aaaa1111', 999),
      session('bbbb2222', 18_640, { forked_from: 'aaaa1111' }),
      session('cccc3333', 1_500_000, { forked_from: 'gone4444' }),
    ],
    { style: plain, width: 120, zone: 'utc', shortPath: String, prefixes: new Map([['aaaa1111', 4]]) },
  );
  expect(list).toBe(
    `TIME UTC            EPISODE  STATUS TURNS TOKENS MODEL LOG    TASK
2026-03-02 09:00:00 aaaa1111 ok     2     999    m     1.0 kB Prepare the release
2026-03-02 09:00:00 bbbb2222 ok     2     18.6k  m     1.0 kB Prepare the release (fork of aaaa)
2026-03-02 09:00:00 cccc3333 ok     2     1.5M   m     1.0 kB Prepare the release (fork of gone4444)
`,
  );
});

test('the summary says how many are shown, and the hint nothing where none is', () => {
  expect(listSummary([episode(1000), episode(500, { status: 'a\nb' })], 5)).toBe(
    '2 of 5 episodes: 1 a\\nb, 1 ok; 1.5 kB',
  );
  expect(showHint([], { shortPath: String, width: 80 })).toBe('');
});

test('a name that shows less than is enough to name the episode stands out whole', () => {
  const mark = { ...plain, cyan: (text: string) => `<${text}>`, bold: (text: string) => text };
  const list = renderList([episode(1, { episode: 'a\u202eb', path: '/x' })], {
    style: mark,
    width: 120,
    zone: 'utc',
    shortPath: String,
    prefixes: new Map([['a\u202eb', 2]]),
  });
  expect(list).toContain('<a\\u{202e}b>');
});
