import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { episodeIn, GOOD } from '../support/episodes.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir } from '../support/temp.ts';

describe('in the folder of an episode, it is the run that commands read', () => {
  test.each(['show', 'read', 'events', 'timeline', 'state', 'project'])('%s', async (command) => {
    const root = join(tempDir(), '.noesis');
    mkdirSync(join(root, 'episodes'), { recursive: true });
    const [first, second] = [11, 12].map((seed) => episodeIn(join(root, 'episodes'), { ...GOOD, seed }));
    const ids = [first, second].map((one) => one?.id ?? '');
    expect(new Set(ids).size).toBe(2);
    for (const [at, episode] of [first, second].entries()) {
      const { stderr } = await runHere([command], { cwd: episode?.dir ?? '' });
      expect(stderr).toContain(`the run in this folder: ${ids[at]}`);
    }
    const { stderr } = await runHere([command], { cwd: root });
    expect(stderr).toContain('the newest run: ');
    const named = await runHere([command, '--root', root], { cwd: first?.dir ?? '' });
    expect(named.stderr).toContain('the newest run: ');
  });
});

describe('without any run, one error names every folder that was searched', () => {
  test.each([
    ['list'],
    ['show'],
    ['verify'],
    ['stats'],
    ['state'],
    ['events'],
    ['events', '--all'],
    ['search', 'x'],
    ['list', '--dialect', 'claude-code'],
    ['show', '--dialect', 'codex'],
  ])('%s %s %s', async (...args) => {
    const home = tempDir();
    const { code, stdout, stderr } = await runHere(args, { cwd: home, home });
    const { dialect } = { dialect: args[2] };
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toContain(join('~', '.noesis'));
    const folders = { 'claude-code': ['.claude/projects'], codex: ['.codex/sessions'] };
    const wanted = Object.entries(folders).flatMap(([name, own]) =>
      [name, undefined].includes(dialect) ? own : [],
    );
    expect(wanted.length).toBeGreaterThan(0);
    for (const folder of wanted) expect(stderr).toContain(join('~', folder));
  });
});

test('project --diff -q prints nothing, and its exit code says whether both are equal', async () => {
  const { code, stdout } = await runHere(['project', '--diff', '-q', episodeIn(tempDir(), GOOD).dir], {});
  expect([code, stdout]).toEqual([0, '']);
});
