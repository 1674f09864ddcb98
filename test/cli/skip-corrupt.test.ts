import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir } from '../support/temp.ts';

const DAMAGED = join(SAMPLES, 'claude-code/damaged/spliced.jsonl');

describe('--skip-corrupt', () => {
  test.each(['events', 'show', 'timeline', 'stats'])(
    'lets %s go on, says where, and ends with 1',
    async (command) => {
      const closed = await runHere([command, DAMAGED, '-j']);
      expect([closed.code, closed.stderr]).toEqual([1, expect.stringContaining('line 13')]);
      const open = await runHere([command, DAMAGED, '-j', '--skip-corrupt']);
      expect(open.code).toBe(1);
      expect(open.stderr).toContain('2 corrupt places were skipped, on lines 13, 31');
      expect(open.stdout.length).toBeGreaterThan(closed.stdout.length);
    },
  );

  test('lets view tell of the lines that are whole', async () => {
    const page = join(tempDir(), 'page.html');
    const { code, stdout, stderr } = await runHere(['view', DAMAGED, '--skip-corrupt', '-o', page]);
    expect([code, stdout]).toEqual([1, `${page}\n`]);
    expect(stderr).toContain('2 corrupt places were skipped, on lines 13, 31');
    expect((await runHere(['view', DAMAGED, DAMAGED, '--skip-corrupt'])).code).toBe(2);
  });

  test('shows each whole line that is there', async () => {
    const { stdout } = await runHere(['events', DAMAGED, '-j', '--skip-corrupt']);
    expect(stdout.trimEnd().split('\n')).toHaveLength(57);
  });

  test('changes nothing where no line is corrupt, and goes without --partial', async () => {
    const whole = join(
      SAMPLES,
      'claude-code/projects/-home-usr-project/03eb5929-52b3-4b13-ada3-b93ae35806b8.jsonl',
    );
    expect(await runHere(['show', whole, '-j', '--skip-corrupt'])).toMatchObject({ code: 0, stderr: '' });
    expect((await runHere(['events', DAMAGED, '--partial', '--skip-corrupt'])).code).toBe(2);
    expect((await runHere(['show', DAMAGED, '3', '--skip-corrupt'])).code).toBe(2);
  });
});
