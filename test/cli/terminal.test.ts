import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { noesis } from '../support/cli.ts';
import { episodeIn, GOOD, rootWith } from '../support/episodes.ts';
import { tempDir } from '../support/temp.ts';

const ESCAPE = '\u001b';
/** Clears the screen, sets the title, turns text around, rings, and begins a new line. */
const HOSTILE = `x${ESCAPE}[2J${ESCAPE}]0;title\u0007\u202e\u009b31m\u007f\b\r\n::error::y`;
/** Characters that a terminal obeys: C0 except the newline, DEL, C1, and bidirectional controls. */
const OBEYED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

describe('text from a trace that would move the terminal', () => {
  const { cwd, episodes } = rootWith({ ...GOOD, task: HOSTILE });
  const [{ id, dir, log, lines }] = episodes;
  const damaged = join(tempDir(), 'ep_damaged');
  cpSync(dir, damaged, { recursive: true });
  writeFileSync(
    join(damaged, 'events.jsonl'),
    `${lines.join('\n')}\n{"id":"${HOSTILE.replaceAll('\n', '')}\n`,
  );
  writeFileSync(join(damaged, `${ESCAPE}[31mfile`), '');

  test.each([
    ['events', id],
    ['events', id, '--chain', '0000'],
    ['tail', id],
    ['state', id],
    ['project', id],
    ['list'],
    ['verify'],
    ['verify', damaged],
    ['verify', damaged, '-f', 'github'],
    ['verify', damaged, '-f', 'junit'],
    ['events', damaged],
    ['project', damaged, '--diff'],
    ['events', `${ESCAPE}[31mno such`],
    ['events', id, '--chain', `${ESCAPE}[31m`],
    ['state', id, `${ESCAPE}[31m`],
    [`${ESCAPE}[31m`],
    ['explain', `${ESCAPE}[31m`],
  ])('is escaped in the output of %j', async (...args) => {
    const { stdout, stderr } = await noesis(args, { cwd });
    expect(stdout + stderr).not.toBe('');
    expect(stdout).not.toMatch(OBEYED);
    expect(stderr).not.toMatch(OBEYED);
  });

  test('stays exact in JSON', async () => {
    expect((await noesis(['events', id, '-j'], { cwd })).stdout).toBe(readFileSync(log, 'utf8'));
    expect((await noesis(['state', id, 'goal.task', '-j'], { cwd })).stdout).toBe(
      `${JSON.stringify(HOSTILE)}\n`,
    );
    const [row] = JSON.parse((await noesis(['list', '-j'], { cwd })).stdout) as { task: string }[];
    expect(row?.task).toBe(HOSTILE);
  });

  test('shows as escapes', async () => {
    const { stdout } = await noesis(['events', id, '-p', 'start'], { cwd, env: { COLUMNS: '200' } });
    expect(stdout).toContain('x\\x1b[2J');
  });
});

describe('colours', () => {
  const { cwd, episodes } = rootWith(GOOD);
  const [{ id }] = episodes;
  const bad = episodeIn(tempDir(), GOOD);
  writeFileSync(bad.log, 'x\n');

  test.each<[boolean, string[], Record<string, string>]>([
    [false, [], {}],
    [true, ['--color', 'always'], {}],
    [true, ['--color=always'], { NO_COLOR: '1', TERM: 'dumb' }],
    [true, [], { FORCE_COLOR: '1' }],
    [true, [], { FORCE_COLOR: '3', TERM: 'dumb' }],
    [false, [], { FORCE_COLOR: '0' }],
    [false, [], { NO_COLOR: '1' }],
    [false, ['--color', 'never'], { FORCE_COLOR: '1' }],
    [false, ['--color', 'auto'], { TERM: 'dumb' }],
  ])('are there (%s) with %j and %j', async (coloured, options, env) => {
    for (const args of [
      ['events', id],
      ['verify', bad.dir],
      ['list'],
      ['state', id],
      ['explain', 'log/bom'],
    ]) {
      const { stdout } = await noesis([...args, ...options], { cwd, env });
      expect(stdout).not.toBe('');
      expect([args[0], stdout.includes(`${ESCAPE}[`)]).toEqual([args[0], coloured]);
    }
    const { stderr } = await noesis(['events', bad.dir, ...options], { cwd, env });
    expect(stderr.includes(`${ESCAPE}[`)).toBe(coloured);
  });

  test('are never in JSON', async () => {
    for (const args of [['events', id], ['verify', bad.dir], ['list'], ['state', id], ['events', bad.dir]]) {
      const { stdout, stderr } = await noesis([...args, '-j', '--color', 'always'], { cwd });
      expect(stdout + stderr).not.toContain(ESCAPE);
    }
  });
});

test('renderings stay as they are', async () => {
  const { cwd, episodes } = rootWith(GOOD);
  const [{ id }] = episodes;
  for (const [name, args] of Object.entries({
    events: ['events', id, '--utc'],
    state: ['state', id],
    verify: ['verify'],
  })) {
    const { stdout } = await noesis(args, { cwd });
    await expect(stdout.replaceAll(cwd, '<cwd>')).toMatchFileSnapshot(`__snapshots__/${name}.txt`);
  }
});
