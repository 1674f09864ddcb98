import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXAMPLES, SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir } from '../support/temp.ts';

const NEWEST = /^the newest run: (ep_\S+)$/m;

describe('without a target', () => {
  test.each(['show', 'read', 'timeline', 'events', 'state', 'project', 'tail'])(
    '%s takes the newest episode, and says which',
    async (command) => {
      const named = await runHere([command, 'latest']);
      const { code, stdout, stderr } = await runHere([command]);
      expect({ code, stdout }).toEqual({ code: named.code, stdout: named.stdout });
      expect(stderr).toMatch(NEWEST);
      const [, id] = NEWEST.exec(stderr) ?? [];
      expect((await runHere(['list', '-q', '--limit', '1'])).stdout.trim()).toBe(id);
    },
  );

  test('says how a log is read from standard input, if that is a pipe', async () => {
    expect((await runHere(['show'], { isPiped: true })).stderr).toMatch(
      /^the newest run: ep_\S+; to read a log from standard input, give - as the run$/m,
    );
  });

  test('does not say so with -q', async () => {
    expect((await runHere(['show', '-q'])).stderr).toBe('');
  });

  test('takes the newest session of the machine if there are no episodes', async () => {
    const home = join(SAMPLES, 'claude-code');
    const world = { cwd: '/', home: '/nonexistent', env: { CLAUDE_CONFIG_DIR: home } };
    for (const command of ['show', 'read', 'timeline']) {
      const { code, stderr } = await runHere([command], world);
      expect([code, stderr]).toEqual([0, expect.stringMatching(/^the newest run: /m)]);
    }
  });
});

describe('without any run', () => {
  const COMMANDS = [
    ...[
      'list',
      'stats',
      'events',
      'verify',
      'show',
      'read',
      'timeline',
      'tail',
      'view',
      'state',
      'project',
      'doctor',
    ].map((command) => [command]),
    ...['show', 'read', 'tail', 'insight'].map((command) => [command, 'latest']),
    ['search', 'x'],
    ['doctor', '--all'],
    ['diff', 'latest', 'latest'],
  ];

  test.each(COMMANDS)('%s %s ends with 3, and lists the folders of each program', async (...args) => {
    const home = tempDir();
    const cwd = join(home, 'work');
    mkdirSync(cwd);
    const { code, stdout, stderr } = await runHere(args, { cwd, home, env: { COLUMNS: '80' } });
    expect([code, stdout]).toEqual([3, '']);
    const lines = stderr.split('\n');
    expect(lines.slice(0, 3)).toEqual([
      'error: no .noesis folder here or above, and no sessions of coding agents',
      'searched:',
      '  noesis       ~/work/.noesis, and the folders above',
    ]);
    expect(lines).toContain('  claude-code  ~/.claude/projects');
    expect(lines).toContain('  codex        ~/.codex/sessions, ~/.codex/archived_sessions');
    expect(lines.filter((line) => line.startsWith('help: '))).toHaveLength(1);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80);
  });

  test.each(['show', 'read', 'verify', 'events', 'stats', 'doctor', 'list'])(
    '%s of an id ends with 3 too, and lists the same folders',
    async (command) => {
      const home = tempDir();
      const { code, stderr } = await runHere([command, 'abc123'], { cwd: home, home });
      const [error, ...searched] = stderr.split('\n');
      expect([code, error]).toEqual([
        3,
        'error: abc123 does not exist, and there is no .noesis folder here or above, and no sessions of coding agents',
      ]);
      const { stderr: untargeted } = await runHere([command], { cwd: home, home });
      expect(searched).toEqual(untargeted.split('\n').slice(1));
    },
  );

  test('has the folders as JSON', async () => {
    const home = tempDir();
    const { stderr } = await runHere(['list', '-j'], { cwd: home, home });
    expect(JSON.parse(stderr).error.searched).toContainEqual({
      dialect: 'pi',
      folders: [
        join(home, '.pi/agent/sessions'),
        join(home, '.omp/agent/sessions'),
        join(home, '.openclaw/agents'),
      ],
    });
  });
});

test('a folder with one episode is that episode', async () => {
  const { code, stdout } = await runHere(['show', 'damaged/tampered-state', '-j'], { cwd: EXAMPLES });
  expect([code, JSON.parse(stdout).episode]).toEqual([0, expect.stringMatching(/^ep_/)]);
});

test.each([
  ['ls', 'list'],
  ['log', 'events'],
  ['cat', 'read'],
])('%s is understood as %s', async (other, command) => {
  const { stdout } = await runHere([other, '--help']);
  expect(stdout).toBe((await runHere([command, '--help'])).stdout);
});
