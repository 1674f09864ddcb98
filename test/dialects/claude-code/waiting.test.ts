import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runHere } from '../../support/in-process.ts';

// The program worked 45 s on the first turn. Its calls waited for 46 minutes until somebody allowed them.

const LOG = join(
  fileURLToPath(new URL('../../inputs/sessions/runs', import.meta.url)),
  'permission-wait.jsonl',
);
const WORKED = 45_120;

async function json<T>(...args: string[]): Promise<T> {
  return JSON.parse((await runHere([...args, '-j'])).stdout) as T;
}

interface Timed {
  readonly duration_ms?: number;
  readonly waited_ms?: number;
  readonly worked_ms?: number;
}

test('a turn takes as long as the program worked on it, and the rest is waiting', async () => {
  const { turns, waited_ms: waited } = await json<{ turns: Timed[]; waited_ms: number }>('project', LOG);
  const [first = {}] = turns;
  expect(first.worked_ms).toBe(WORKED);
  expect(first.duration_ms).toBe(WORKED);
  expect(waited).toBe(first.waited_ms);
  const { steps } = await json<{ steps: Timed[] }>('show', LOG);
  expect(steps[0]?.duration_ms).toBe(WORKED);
});

test('no call took longer than the work of its turn; what it waited is said', async () => {
  const { calls } = await json<{ calls: Timed[] }>('project', LOG);
  expect(calls.map(({ waited_ms: waited }) => waited !== undefined)).toEqual([
    true,
    true,
    false,
    false,
    false,
    true,
    true,
    true,
    false,
  ]);
  for (const { duration_ms: took = 0, waited_ms: waited = 0 } of calls)
    expect(took - waited).toBeLessThanOrEqual(WORKED);
  const { slowest } = await json<{ slowest: Timed[] }>('show', LOG);
  expect(slowest.every(({ duration_ms: took = 0 }) => took <= WORKED)).toBe(true);
  // How long a call worked that waited is not in the log, so such a call is not named among the slowest.
  expect([slowest.length > 0, slowest.filter(({ waited_ms: waited }) => waited !== undefined)]).toEqual([
    true,
    [],
  ]);
  const { stdout } = await runHere(['show', LOG, '--full']);
  expect(stdout).toContain('waiting for you 46m 13s');
  expect(stdout.slice(stdout.indexOf('Slowest'))).toMatch(/^Slowest\n.*\n {2}49 +17\.5 s .*\n {2}19 /);
  const { groups } = await json<{ groups: Record<string, { calls: { max: number } }> }>(
    'stats',
    LOG,
    '--by',
    'tool',
  );
  expect(groups['Bash']?.calls.max).toBeLessThanOrEqual(WORKED);
});
