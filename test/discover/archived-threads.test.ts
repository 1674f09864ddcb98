import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir } from '../support/temp.ts';

const ID = 'fbe58d05-fd2d-4d4c-8f52-8989e25ba5e1';
const NAME = `rollout-2026-11-22T08-35-43-${ID}.jsonl`;
const FIRST = join(SAMPLES, 'codex/sessions/2026/11/22', NAME);
const LATER = `rollout-2026-11-23T08-35-43-${ID}_01a20265-0000-4000-8000-000000000001.jsonl`;

/** A home of Codex with a thread of two logs, one of them archived. */
function home(archived: 'first' | 'later'): string {
  const dir = tempDir();
  const [archive, day] = [join(dir, '.codex/archived_sessions'), join(dir, '.codex/sessions/2026/11/23')];
  for (const folder of [archive, day]) mkdirSync(folder, { recursive: true });
  const [first, later] = archived === 'first' ? [archive, day] : [day, archive];
  copyFileSync(FIRST, join(first, NAME));
  const [head = ''] = readFileSync(FIRST, 'utf8').split('\n');
  writeFileSync(join(later, LATER), `${head}\n`);
  return dir;
}

describe.each(['first', 'later'] as const)('a thread of which the %s log is archived', (archived) => {
  test('is one run', async () => {
    const dir = home(archived);
    const list = await runHere(['list', '-j'], { home: dir, cwd: dir });
    expect(JSON.parse(list.stdout)).toMatchObject([{ episode: ID }]);
    expect(JSON.parse(list.stdout)).toHaveLength(1);
  });

  test('has both logs if its path is named', async () => {
    const dir = home(archived);
    const folder = archived === 'first' ? 'archived_sessions' : 'sessions/2026/11/23';
    const { stdout } = await runHere(['verify', join(dir, '.codex', folder, NAME), '-j'], {
      home: dir,
      cwd: dir,
    });
    const lines = readFileSync(FIRST, 'utf8').trimEnd().split('\n').length;
    expect(JSON.parse(stdout).summary.events).toBe(lines + 1);
  });
});
