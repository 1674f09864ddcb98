import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { episodeIn, GOOD, PAUSED, rootWith, VETOED } from '../support/episodes.ts';
import { runHere } from '../support/in-process.ts';

const { cwd, episodes } = rootWith(GOOD, PAUSED, VETOED);
const [good, paused, vetoed] = episodes;
// One that no state.json speaks for.
writeFileSync(
  join(
    episodeIn(join(cwd, '.noesis/episodes'), {
      seed: 21,
      startedAt: '2026-03-01T00:00:00Z',
      ending: 'running',
    }).dir,
    'state.json',
  ),
  '{',
);

interface Row {
  readonly episode: string;
  readonly status?: string;
  readonly sealed: boolean;
}

async function list(...args: string[]): Promise<Row[]> {
  const { code, stdout, stderr } = await runHere(['list', '-j', ...args], { cwd });
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Row[];
}

const idsOf = (rows: Row[]) => rows.map(({ episode }) => episode);

describe('list', () => {
  test('prints the episodes of the root, newest first', async () => {
    const rows = await list();
    expect(idsOf(rows).slice(0, 3)).toEqual([vetoed.id, paused.id, good.id]);
    expect(rows[2]).toEqual({
      episode: good.id,
      path: good.dir,
      id: good.id.slice(0, 11),
      dialect: 'noesis',
      project: basename(cwd),
      started_at: expect.stringMatching(/^2026-03-02T09:00:00/) as unknown,
      written_at: expect.stringMatching(/^2026-03-02T09:00:/) as unknown,
      task: GOOD.task,
      status: 'ok',
      tone: 'good',
      took_ms: expect.any(Number) as unknown,
      log_bytes: Buffer.byteLength(`${good.lines.join('\n')}\n`),
      sealed: true,
    });
    expect(rows.map(({ status, sealed }) => [status, sealed])).toEqual([
      ['vetoed', true],
      ['paused', false],
      ['ok', true],
      ['running', false],
    ]);
  });

  test('takes a limit, statuses and ids only', async () => {
    expect(idsOf(await list('--limit', '1'))).toEqual([vetoed.id]);
    expect(await list('--limit', '0')).toEqual([]);
    expect(idsOf(await list('--status', 'ok'))).toEqual([good.id]);
    expect(idsOf(await list('--status', 'ok,vetoed', '--limit', '5'))).toEqual([vetoed.id, good.id]);
    expect(idsOf(await list('--status', 'ok', '--status', 'paused'))).toEqual([paused.id, good.id]);
    expect(await list('--status', 'running')).toHaveLength(1);
    expect((await runHere(['list', '--status', 'nothing', '-j'], { cwd })).stdout).toBe('[]\n');
    const quiet = await runHere(['list', '-q', '--limit', '2'], { cwd });
    expect(quiet.stdout).toBe(`${vetoed.id}\n${paused.id}\n`);
  });

  test('of targets: a folder, an episode, a log, an id, after any option', async () => {
    expect(idsOf(await list('--status', 'ok', '.'))).toEqual([good.id]);
    expect(idsOf(await list(good.dir))).toEqual([good.id]);
    expect(idsOf(await list(good.id, vetoed.id.slice(0, 12)))).toEqual([vetoed.id, good.id]);
    const [alone] = await list(good.log);
    // The log of an episode means the episode.
    expect(alone).toMatchObject({ episode: good.id, path: good.dir, task: GOOD.task, sealed: true });
  });

  test('as a table has short ids and fits the terminal', async () => {
    const { stdout } = await runHere(['list', '--utc'], { cwd, env: { COLUMNS: '80' } });
    expect(stdout.replaceAll(/^ep_\w{8}/gm, 'ep_XXXXXXXX')).toMatchInlineSnapshot(`
      "ID          TIME UTC         STATUS  SEAL     LOG TITLE
      ep_XXXXXXXX 2026-03-02 13:00 vetoed  sealed 11 kB 日本 notes relevant policy co…
        Task flagged as dangerous
      ep_XXXXXXXX 2026-03-02 11:00 paused  open   12 kB review deploy review notes ex…
      ep_XXXXXXXX 2026-03-02 09:00 ok      sealed 14 kB Prepare the release notes → c…
      ep_XXXXXXXX 2026-03-01 00:00 running open    6 kB relevant policy outcome tool …
      "
    `);
    for (const { id } of [good, paused, vetoed]) expect(stdout).toContain(`${id.slice(0, 11)} `);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });
});

describe('tail', () => {
  const tail = async (...args: string[]) => {
    const { code, stdout, stderr } = await runHere(['tail', good.id, ...args], { cwd });
    expect([code, stderr]).toEqual([0, '']);
    return stdout;
  };
  const stored = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');

  test('prints the last 10 events, or -n, as they are stored', async () => {
    expect(await tail('-j')).toBe(stored(good.lines.slice(-10)));
    expect(await tail('-j', '-n', '3')).toBe(stored(good.lines.slice(-3)));
    expect(await tail('-j', '-n1000')).toBe(stored(good.lines));
    expect(await tail('-j', '--lines', '0')).toBe('');
  });

  test('takes the filters and fields of events', async () => {
    const acts = good.lines.filter((_, index) => good.events[index]?.phase === 'act');
    expect(await tail('-j', '-p', 'act', '-n', '2')).toBe(stored(acts.slice(-2)));
    expect(await tail('-j', '-n', '1', '--fields', 'phase')).toBe('{"phase":"memory"}\n');
  });

  test('as a table counts the offset from the start of the episode', async () => {
    const [, row] = (await tail('--utc', '-n', '1')).split('\n');
    expect(await runHere(['events', good.id, '--utc', '--last', '1'], { cwd })).toMatchObject({
      stdout: expect.stringContaining(row ?? 'no row') as unknown,
    });
  });
});

test('does not look for damage, and the help says so', async () => {
  const damaged = rootWith(GOOD);
  writeFileSync(damaged.episodes[0].log, 'x\n', { flag: 'a' });
  const { code, stdout } = await runHere(['list', '-j'], { cwd: damaged.cwd });
  expect([code, JSON.parse(stdout)]).toMatchObject([0, [{ status: 'ok', sealed: true }]]);
  const help = (await runHere(['list', '--help'])).stdout.replace(/\s+/g, ' ');
  expect(help).toContain('list does not verify them, and counts only damage that it happens to read');
});
