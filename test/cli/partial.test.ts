import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir, tempFile, writeTree } from '../support/temp.ts';

const DAMAGED = join(SAMPLES, 'claude-code/damaged/spliced.jsonl');

describe('--partial', () => {
  test.each(['events', 'stats'])('lets %s continue, with the places, and exit with 1', async (command) => {
    const closed = await runHere([command, DAMAGED, '-j']);
    expect([closed.code, closed.stderr]).toEqual([1, expect.stringContaining('line 13')]);
    const open = await runHere([command, DAMAGED, '-j', '--partial']);
    expect(open.code).toBe(1);
    expect(open.stderr).toContain('skipped damaged lines 13, 31: ');
    expect(open.stdout.length).toBeGreaterThan(closed.stdout.length);
  });

  test('names the first three damaged logs of many, and counts the others', async () => {
    const text = readFileSync(DAMAGED, 'utf8');
    const many = writeTree(Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((id) => [`${id}.jsonl`, text])));
    for (const args of [
      ['events', many, '--partial'],
      ['stats', many, '--partial'],
      ['search', 'e', many],
    ]) {
      const { stderr } = await runHere(args);
      const named = stderr.match(/: skipped damaged lines /g);
      expect([args[0], named?.length, stderr.includes('and 2 more logs with damaged lines')]).toEqual([
        args[0],
        3,
        true,
      ]);
    }
  });

  test('shows each intact line, and the whole records of damaged ones', async () => {
    const { stdout } = await runHere(['events', DAMAGED, '-j', '--partial']);
    expect(stdout.trimEnd().split('\n')).toHaveLength(60);
  });

  test('changes nothing if no line is corrupt', async () => {
    const whole = join(
      SAMPLES,
      'claude-code/projects/-home-usr-project/03eb5929-52b3-4b13-ada3-b93ae35806b8.jsonl',
    );
    expect(await runHere(['events', whole, '-j', '--partial'])).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('a damaged log', () => {
  test.each([[['show']], [['read']], [['timeline']], [['show', '--changes']]])(
    'is shown by %j as far as it is whole, and the rest is named, with the command that says more',
    async ([command = '', ...options]) => {
      const { code, stdout, stderr } = await runHere([command, DAMAGED, ...options]);
      expect([code, stdout.length > 0]).toEqual([1, true]);
      expect(stderr).toMatch(/^([^\n]*): skipped damaged lines 13, 31: [^\n]*\n {2}see noesis verify \1\n$/);
      const json = await runHere([command, DAMAGED, ...options, '-j']);
      expect([json.code, JSON.parse(json.stderr).error]).toMatchObject([
        1,
        { code: 'log-corrupt', line: 13 },
      ]);
    },
  );

  test('has a command that verifies it in show, on a line that can be copied', async () => {
    const { stdout } = await runHere(['show', DAMAGED]);
    expect(stdout).toMatch(/^Integrity fail.*\n(?: .*\n)*? +see noesis verify \S*spliced\S*\n/m);
  });

  test('is shown by view, under a banner', async () => {
    const page = join(tempDir(), 'page.html');
    const { code, stdout, stderr } = await runHere(['view', DAMAGED, '-o', page]);
    expect([code, stdout]).toEqual([1, `${page}\n`]);
    expect(stderr).toContain('skipped damaged lines 13, 31: ');
  });

  test('has single events shown by show', async () => {
    const { code, stdout, stderr } = await runHere(['show', DAMAGED, '3']);
    expect([code, stdout]).toEqual([1, expect.stringContaining('Line ')]);
    expect(stderr).toContain('skipped damaged lines 13, 31: ');
  });
});

test('a line with several corrupt places is named once', async () => {
  const [first = '', second = ''] = readFileSync(
    join(SAMPLES, 'coordinator/nested-two-sessions.jsonl'),
    'utf8',
  ).split('\n');
  const log = tempFile(`${first}\n\0\0\0\0${second.slice(0, 60)}\0\0\0\0\n${second}\n`);
  const { stderr } = await runHere(['show', log, '--dialect', 'coordinator']);
  expect(stderr).toMatch(/: skipped damaged line 2: /);
  expect((await runHere(['read', log, '--dialect', 'coordinator'])).stdout).toMatch(
    / 2 {2}── a damaged line is left out ──\n/,
  );
});
