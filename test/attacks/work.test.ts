import { spawnSync } from 'node:child_process';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { VerifyReport } from '../../src/findings/report.ts';
import { isShort, sampled } from '../support/length.ts';
import { tempDir } from '../support/temp.ts';
import { cost, episode, MANY, SMALL_STACK } from './cost.ts';

// Work is counted here, in bytes that are read and memory that is there: how long it takes says nothing.

const record = (index: number, more: object): string =>
  `${JSON.stringify({ id: `e${index}`, phase: 'reason', payload: {}, ...more })}\n`;

function logOf(count: number, more: (index: number) => object): string {
  const path = join(tempDir(), 'events.jsonl');
  writeFileSync(path, Array.from({ length: count }, (_, index) => record(index, more(index))).join(''));
  return path;
}

describe('the end of a log', () => {
  const path = logOf(60_000, (index) => ({ agent_id: index % 100 === 0 ? 'a' : 'b' }));

  test.each([1, 300, 30_000])('is read once for the last %i events of one agent in a hundred', (count) => {
    const { code, read, stdout } = cost(['tail', path, '-n', String(count), '--agent', 'a', '-j']);
    expect([code, stdout.split('\n').length - 1]).toEqual([0, Math.min(count, 600)]);
    // Backwards for the lines, and again for the output.
    expect(read).toBeLessThan(statSync(path).size * 3);
  });
});

describe('very long lines', () => {
  const COUNT = 50;
  const text = 'x'.repeat(2_000_000);
  const path = logOf(COUNT, () => ({ payload: { text } }));

  // With rows whole, as a pipe has them, all of them together would not fit.
  const commands: readonly (readonly [string, readonly string[]])[] = [
    ['events', []],
    ['events', ['-j']],
    ['events', ['-j', '--fields', 'id,payload']],
    ['events', ['--tree']],
    ['tail', ['-n', '100']],
  ];
  test.each(sampled(commands, 1))('are held one at a time: %s %j', (command, options) => {
    const { code, stdout } = cost([command, path, ...options], ['--max-old-space-size=64']);
    expect(code).toBe(0);
    expect(stdout.length).toBeGreaterThan(COUNT * text.length);
  });
});

test('a folder with more episodes than a call accepts arguments', { timeout: 600_000 }, () => {
  const dir = tempDir();
  const start = `${JSON.stringify({ id: 's', phase: 'start', payload: {}, evidence_ids: [], timestamp: '2026-03-02T09:00:00Z' })}\n`;
  for (let index = 0; index < MANY; index += 1) {
    mkdirSync(join(dir, `ep_${index}`));
    writeFileSync(join(dir, `ep_${index}`, 'events.jsonl'), start);
  }
  const spread = spawnSync(process.execPath, [SMALL_STACK, '-e', `[].push(...Array(${MANY}).fill(0))`]);
  expect(spread.status).not.toBe(0);
  if (!isShort) {
    const { code, stdout, stderr } = cost(['verify', dir, '-j'], [SMALL_STACK]);
    expect([code, stderr]).toEqual([0, '']);
    expect((JSON.parse(stdout) as VerifyReport).episodes).toHaveLength(MANY);
  }
  const listed = cost(['list', dir, '-q'], [SMALL_STACK]);
  expect([listed.code, listed.stdout.trimEnd().split('\n').length]).toEqual([0, MANY]);
});

test('four documents at the limit of values are verified in the main thread', () => {
  const it = episode((made) => {
    for (const name of sampled(['state.json', 'summary.json', 'final.json', 'manifest.json'], 2))
      made.extend(name, `"x-a":[${'[],'.repeat(1_900_000)}[]]`);
  });
  const { code, memory, report } = it.verify();
  expect(code).toBe(1);
  expect(report.episodes[0]?.findings.map(({ code: found }) => found)).toContain('manifest/hash-mismatch');
  expect(memory).toBeLessThan(1000);
});
