import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir } from '../support/temp.ts';

const EPISODES = join(EXAMPLES, '.noesis/episodes');
const DAMAGED = join(EXAMPLES, 'damaged');
const IDS = [
  'ep_01KJPWD6M0GKJVH2GKEFTDNN55',
  'ep_01KJQ38XW0B21102BHVMR95HBJ',
  'ep_01KJQ6PSG0DGB6DN0XWB2R05AD',
  'ep_01KJQA4N40CCE7NY92CB90Q783',
];
const stored = (id: string): string => readFileSync(join(EPISODES, id, 'events.jsonl'), 'utf8');
const lines = (text: string): string[] => text.trimEnd().split('\n');

describe('events of many logs', () => {
  test.each([[['--all']], [[EPISODES]], [IDS]])(
    '%j are those of each, one log after the other',
    async (args) => {
      const { code, stdout } = await runHere(['events', ...args, '-j']);
      expect([code, stdout]).toEqual([0, IDS.map(stored).join('')]);
    },
  );

  test('have their episode and their line with --with-source, and are stored as they were', async () => {
    const { stdout } = await runHere(['events', '--all', '-j', '--with-source', '-p', 'start']);
    const rows = lines(stdout);
    expect(rows).toHaveLength(4);
    for (const [index, row] of rows.entries()) {
      const id = IDS[index] ?? '';
      expect(row).toBe(`{"episode":"${id}","line":1,"event":${lines(stored(id))[0]}}`);
    }
    const picked = await runHere([
      'events',
      IDS[0] ?? '',
      '-j',
      '--with-source',
      '--fields',
      'phase',
      '--limit',
      '1',
    ]);
    expect(picked.stdout).toBe(`{"episode":"${IDS[0]}","line":1,"event":{"phase":"start"}}\n`);
  });

  test.each([
    [80, 'OFFSET'],
    [100, 'TIME'],
    [140, 'TIME'],
  ])('are one table of %i columns, with the episode and room for what happened', async (columns, when) => {
    const args = ['events', '--all', '-p', 'governance,terminate', '--utc', '--color', 'never'];
    const { stdout } = await runHere(args, { columns });
    const [header = '', ...rows] = lines(stdout);
    expect(header).toMatch(new RegExp(`^EPISODE +LINE +${when}`));
    expect(columns - header.indexOf('DETAIL')).toBeGreaterThanOrEqual(24);
    expect(rows.length).toBeGreaterThan(2);
    for (const row of rows) {
      const name = row.split(' ')[0] ?? '';
      expect(IDS.filter((id) => id.startsWith(name.replace('…', '')))).toHaveLength(1);
      expect(row.length).toBeLessThanOrEqual(columns);
      expect(row.includes(' ⊘ ')).toBe(/ veto(?:ed)? /.test(row));
    }
  });

  test('know an event by its id, whichever log it is in', async () => {
    const wanted = lines(stored(IDS[2] ?? ''))[2] ?? '';
    const { id } = JSON.parse(wanted) as { id: string };
    const one = await runHere(['events', IDS[2] ?? '', '--chain', id, '-j']);
    expect(await runHere(['events', '--all', '--chain', id, '-j'])).toEqual(one);
    expect([one.code, lines(one.stdout)[0]]).toEqual([0, wanted]);
    const none = await runHere(['events', '--all', '--chain', 'no-such-event']);
    expect([none.code, none.stdout]).toEqual([3, '']);
    expect(none.stderr).toContain('no event no-such-event in 4 logs');
  });

  test('say where a chain ends', async () => {
    const cut = tempDir();
    const logs = ['a.jsonl', 'b.jsonl'].map((name) => join(cut, name));
    const behind = lines(stored(IDS[0] ?? '')).slice(3);
    for (const log of logs) writeFileSync(log, `${behind.join('\n')}\n`);
    const { code, stderr } = await runHere(['events', ...logs, '--chain', '1', '-j']);
    expect([code, stderr.match(/the chain ends here: its cause /g)?.length]).toEqual([0, 2]);
  });

  test('begin another table if a dialect has other columns', async () => {
    const { stdout } = await runHere([
      'events',
      IDS[0] ?? '',
      join(EXAMPLES, 'other-dialects/exarchos'),
      '--limit',
      '1',
    ]);
    expect(lines(stdout).filter((line) => /^(?:EPISODE|LOG) +LINE /.test(line))).toHaveLength(2);
  });

  test('leave out a corrupt log, which is named and makes the exit code 1', async () => {
    const { code, stdout, stderr } = await runHere(['events', DAMAGED, '-j', '-p', 'start', '--with-source']);
    expect(code).toBe(1);
    const sources = lines(stdout).map((line) => (JSON.parse(line) as { episode: string }).episode);
    expect(sources).toEqual(
      ['appended-after-seal', 'edited-log', 'tampered-state'].map((name) => expect.stringContaining(name)),
    );
    const failures = lines(stderr).map(
      (line) => JSON.parse(line) as { error: { code: string; file: string } },
    );
    expect(failures.map(({ error }) => error.code)).toEqual(failures.map(() => 'log-corrupt'));
    expect(failures.map(({ error }) => error.file).join()).toContain('bad-json');
  });

  test('are named by their paths if ids repeat', async () => {
    const root = tempDir();
    for (const name of ['one', 'two'])
      cpSync(join(EPISODES, IDS[0] ?? ''), join(root, name, IDS[0] ?? ''), { recursive: true });
    const { stdout } = await runHere(['events', 'one', 'two', '-j', '--with-source', '--limit', '1'], {
      cwd: root,
    });
    const sources = lines(stdout).map((line) => (JSON.parse(line) as { episode: string }).episode);
    expect(sources).toEqual([`one/${IDS[0]}`, `two/${IDS[0]}`]);
  });

  test('differ in their first column, even in folders with long names', async () => {
    const root = tempDir();
    const folders = ['north', 'south'].map((name) => `runs-of-the-nightly-regression-${name}`);
    for (const name of folders)
      cpSync(join(EPISODES, IDS[0] ?? ''), join(root, name, IDS[0] ?? ''), { recursive: true });
    const { stdout } = await runHere(['events', '.', '-p', 'start'], { cwd: root, env: { COLUMNS: '80' } });
    const shown = lines(stdout).slice(1);
    expect(shown.map((row) => /north|south/.exec(row)?.[0])).toEqual(['north', 'south']);
    const stats = await runHere(['stats', '.', '-j'], { cwd: root });
    const { failed } = JSON.parse(stats.stdout) as { failed: { episode: string }[] };
    for (const { episode } of failed) expect(folders).toContain(episode.split('/')[0]);
  });

  test('say if no event matches', async () => {
    const { code, stderr } = await runHere(['events', '--all', '-p', 'atc', '-j']);
    expect([code, stderr]).toEqual([0, 'no event of phase atc; did you mean act?\n']);
  });

  test.each([
    [['events', '--all', 'latest'], '--all cannot be combined with a target'],
    [['events', '--all', '--with-source'], '--with-source needs -j'],
    [['events', '--all', '--grep', '/(/'], 'is not a regular expression'],
    [['events', '--all', '--grep', ''], 'nothing to search for'],
  ])('%j is a usage error', async (args, message) => {
    const { code, stderr } = await runHere(args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('--grep', () => {
  const [id = ''] = IDS;

  test.each([
    ['release', (line: string) => line.includes('release')],
    ['/REL\\w+/i', (line: string) => /rel\w+/i.test(line)],
    ['"phase":"act"', (line: string) => line.includes('"phase":"act"')],
    ['café', (line: string) => line.includes('café')],
  ])('%s chooses by the stored text', async (text, holds) => {
    const { stdout } = await runHere(['events', id, '-j', '--grep', text]);
    const wanted = lines(stored(id)).filter(holds);
    expect(wanted.length).toBeGreaterThan(0);
    expect(lines(stdout)).toEqual(wanted);
  });

  test('finds characters that a writer escaped', async () => {
    const root = tempDir();
    cpSync(join(EPISODES, id), join(root, id), { recursive: true });
    const log = join(root, id, 'events.jsonl');
    const { writeFileSync } = await import('node:fs');
    writeFileSync(log, stored(id).replaceAll('é', '\\u00e9'));
    const { stdout } = await runHere(['events', log, '-j', '--grep', 'café', '-p', 'start']);
    expect(lines(stdout)).toHaveLength(1);
  });

  test('marks what it found, in the row or below it', async () => {
    const mark = (text: string) => `\u001b[1m\u001b[31m${text}\u001b[39m\u001b[22m`;
    const row = await runHere(['events', id, '--grep', 'staging', '-p', 'start', '--color', 'always']);
    expect(row.stdout).toContain(mark('staging'));
    const below = await runHere(['events', id, '--grep', 'core.minimal', '-p', 'start', '--color', 'always']);
    expect(lines(below.stdout)).toHaveLength(3);
    expect(lines(below.stdout)[2]).toContain(mark('core.minimal'));
    const plain = await runHere(['events', id, '--grep', 'core.minimal', '-p', 'start', '--color', 'never'], {
      columns: 60,
    });
    expect(lines(plain.stdout)[2]).toMatch(/^ {5}….*core\.minimal/);
    for (const line of lines(plain.stdout)) expect(line.length).toBeLessThanOrEqual(60);
  });

  test('says if no event contains it', async () => {
    const { code, stderr } = await runHere(['events', id, '--grep', 'nowhere to be found']);
    expect([code, stderr]).toEqual([0, 'no event contains nowhere to be found\n']);
  });
});

test('times in calendar words are explained in the time zone of this machine', async () => {
  const { stderr } = await runHere(['events', IDS[0] ?? '', '--since', 'yesterday', '-j']);
  expect(stderr).toMatch(/^--since yesterday is \d{4}-\d\d-\d\d 00:00:00 (?:UTC|[+-]\d\d:\d\d)\n/);
  expect((await runHere(['events', IDS[0] ?? '', '--since', '2 fortnights ago'])).code).toBe(2);
  expect((await runHere(['events', IDS[0] ?? '', '--until', '2 hours ago', '-j'])).stdout).toBe(
    stored(IDS[0] ?? ''),
  );
});
