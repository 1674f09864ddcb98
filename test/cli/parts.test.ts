import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { entriesOf, makeTar } from '../support/archives.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir, writeTree } from '../support/temp.ts';

// A run is its log and the logs of its parts, for every command. In this session, all work but one call is in the log of a
// subagent: a command that fails, and an edit.

const SAMPLE = 'test/samples/parts/claude-code/projects';
const FOLDER = join(SAMPLE, '-home-usr-shop');
const SESSION = readdirSync(FOLDER).find((name) => name.endsWith('.jsonl')) ?? '';
const AGENT = 'agent-abcd123';

/** Ways to name the session. Each makes its files, and returns a working directory and a target. */
const WAYS: Readonly<Record<string, () => Promise<readonly [cwd: string, target: string]>>> = {
  'its path': async () => ['.', join(FOLDER, SESSION)],
  'its folder': async () => ['.', FOLDER],
  'a folder above': async () => ['.', SAMPLE],
  'its compressed log': async () => {
    const cwd = tempDir();
    cpSync(FOLDER, cwd, { recursive: true });
    writeTree({ [`${SESSION}.gz`]: gzipSync(readFileSync(join(FOLDER, SESSION))) }, cwd);
    return [cwd, `${SESSION}.gz`];
  },
  'an archive': async () => [
    writeTree({ 'all.tar': await makeTar(entriesOf(SAMPLE, 'projects/')) }),
    'all.tar',
  ],
  'its path in an archive': async () => [
    writeTree({ 'all.tar': await makeTar(entriesOf(SAMPLE, 'projects/')) }),
    `all.tar/projects/-home-usr-shop/${SESSION}`,
  ],
};

describe.each(Object.entries(WAYS))('a session with a subagent, named by %s', (_, way) => {
  const run = async (...args: readonly string[]) => {
    const [cwd, target] = await way();
    const { code, stdout, stderr } = await runHere(
      args.map((arg) => (arg === 'TARGET' ? target : arg)),
      { cwd },
    );
    return { code, stdout, stderr };
  };

  test('search finds a text in the log of the subagent', async () => {
    const { code, stdout, stderr } = await run('search', 'edited', 'TARGET');
    expect([code, stdout, stderr]).toEqual([
      0,
      expect.stringContaining(AGENT),
      expect.stringContaining('1 event in 1 of 2 logs'),
    ]);
  });

  test('events lists what failed in the subagent, and its calls', async () => {
    expect((await run('events', 'TARGET', '--failed')).stdout).toMatch(/^agent-abcd123 +3 .*Bash/m);
    expect((await run('events', 'TARGET', '--tool', 'Edit')).stdout).toMatch(/^agent-abcd123 +5 .*Edit/m);
    expect((await run('events', 'TARGET', '-j')).stdout.trim().split('\n')).toHaveLength(11);
  });

  test('stats counts its calls, and names it where it failed', async () => {
    const { names, groups, episodes, failed } = JSON.parse(
      (await run('stats', 'TARGET', '--by', 'tool', '-j')).stdout,
    );
    expect(episodes).toBe(1);
    for (const tool of ['Task', 'Bash', 'Edit'])
      expect([names[tool].count, groups[tool].calls.count]).toEqual([1, 1]);
    expect(failed).toMatchObject([{ name: 'Bash', episode: AGENT, line: 2 }]);
  });

  test('timeline shows its steps', async () => {
    expect((await run('timeline', 'TARGET')).stdout).toMatch(
      /\ngeneral-purpose: x\n1 (?:.|\n)*Bash(?:.|\n)*Edit/,
    );
    expect((await run('timeline', 'TARGET', '-j')).stdout).toContain(`"part":"${AGENT}"`);
  });

  test('show --changes has its edit', async () => {
    expect((await run('show', 'TARGET', '--changes')).stdout).toContain('line 5 of agent-abcd123');
  });
});

test.each(['abcd123', AGENT, 'abcd', 'agent-abcd', 'agent-ab\u2026', '\u2026cd123', 'agent\u202623'])(
  'the id of a subagent, as a table shows it, is a target: %s',
  async (id) => {
    const home = tempDir();
    cpSync(SAMPLE, join(home, '.claude/projects'), { recursive: true });
    expect((await runHere(['show', SESSION.replace('.jsonl', '')], { cwd: home, home })).stdout).toContain(
      'abcd123',
    );
    for (const command of ['read', 'events', 'show', 'timeline', 'verify']) {
      const { code, stdout } = await runHere([command, id], { cwd: home, home });
      expect([command, code === 0, stdout]).toEqual([
        command,
        true,
        expect.stringMatching(/Bash|ok {4}agent/),
      ]);
    }
  },
);

test('the files of one thread are one session, of which every command reads all', async () => {
  const target = 'test/samples/parts/codex-segments/sessions';
  const { stdout } = await runHere(['list', target, '-j'], { cwd: '.' });
  expect(JSON.parse(stdout)).toHaveLength(1);
  expect((await runHere(['search', 'step 3', target], { cwd: '.' })).stdout).toContain('And then step 3');
  expect(
    (await runHere(['events', target, '-p', 'prompt'], { cwd: '.' })).stdout.match(/prompt/g),
  ).toHaveLength(3);
});
