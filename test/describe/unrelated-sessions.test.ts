import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';

// Models of some servers number the calls of each session, so sessions without a common record have equal ids of calls.

interface Counted {
  readonly calls: { readonly count: number };
}

/** The number of calls that `stats` counts in logs. */
async function callsIn(...logs: readonly string[]): Promise<number> {
  const { stdout } = await runHere(['stats', ...logs, '--by', 'tool', '-j']);
  const { groups } = JSON.parse(stdout) as { groups: Record<string, Counted> };
  return Object.values(groups).reduce((sum, { calls }) => sum + calls.count, 0);
}

test.each([
  [
    'pi',
    ['pi/v3-plain-resumed-0.87.1.jsonl', 'pi/v3-interrupts-0.87.1.jsonl', 'pi/v3-compaction-0.87.1.jsonl'],
  ],
  [
    'qwen',
    ['qwen/resumed-0.24.4.jsonl', 'qwen/renamed-0.24.4.jsonl', 'qwen/interrupts-compress-0.24.4.jsonl'],
  ],
  ['gemini', ['gemini/resumed-0.61.0.jsonl', 'gemini/cancel-compress-rewind-0.61.0.jsonl']],
])('sessions of %s with equal ids of calls have all calls of each', async (_, names) => {
  const logs = names.map((name) => join(SAMPLES, name));
  const alone = await Promise.all(logs.map((log) => callsIn(log)));
  expect(alone.every((count) => count > 0)).toBe(true);
  expect(await callsIn(...logs)).toBe(alone.reduce((sum, count) => sum + count, 0));
});
