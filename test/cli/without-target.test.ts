import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXAMPLES, SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';

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
