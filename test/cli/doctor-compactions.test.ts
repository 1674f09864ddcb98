import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { claude, logOf } from '../support/claude-records.ts';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempFile } from '../support/temp.ts';

/** What `doctor` says of a log in a home without sessions, with and without `-j`. */
async function doctorOf(log: string) {
  const home = dirname(log);
  const { stdout } = await runHere(['doctor', log], { cwd: home, home });
  const report = JSON.parse((await runHere(['doctor', log, '-j'], { cwd: home, home })).stdout);
  return { text: stdout.replaceAll(/\s+/g, ' '), report };
}

test('after a compaction of Claude Code, the turns that are loaded have the numbers of other commands', async () => {
  const log = logOf('s.jsonl', [
    claude(1, 'user', 'one'),
    claude(2, 'assistant', [{ type: 'text', text: 'done' }], { parentUuid: 'u1' }),
    claude(3, 'user', 'two', { parentUuid: 'u2' }),
    claude(4, 'assistant', [{ type: 'text', text: 'done' }], { parentUuid: 'u3' }),
    claude(5, 'system', '', { subtype: 'compact_boundary', logicalParentUuid: 'u4', message: undefined }),
    claude(6, 'user', 'What was done: all.', { parentUuid: 'u5', isCompactSummary: true }),
    claude(7, 'user', 'three', { parentUuid: 'u6' }),
    claude(8, 'assistant', [{ type: 'text', text: 'done' }], { parentUuid: 'u7' }),
  ]);
  const { steps } = JSON.parse((await runHere(['show', log, '-j'])).stdout);
  const { text, report } = await doctorOf(log);
  expect(steps).toHaveLength(3);
  expect(report).toMatchObject({ compaction: 6, turns: { of: 3, loaded: [3], newer: [] } });
  expect(text).toContain('after the last compaction, turn 3 of 3.');
});

test('a compaction of Qwen Code replaces what was said before it', async () => {
  const sample = readFileSync(join(SAMPLES, 'qwen/interrupts-compress-0.24.4.jsonl'), 'utf8');
  const { text, report } = await doctorOf(tempFile(sample, '30d3e0e6-fa9e-447d-ba08-e6521b793f3a.jsonl'));
  expect(report).toMatchObject({ compaction: 41, turns: { of: 7, loaded: [7], newer: [] } });
  expect(report.loads.parts).toBe(report.loads.of);
  expect(text).toContain('after the last compaction, turn 7 of 7.');
});
