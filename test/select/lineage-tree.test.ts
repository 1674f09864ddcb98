import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fishbowl } from '../../src/dialects/fishbowl/index.ts';
import { dialectNamed } from '../../src/dialects/registry.ts';
import { lineageTree } from '../../src/read/select/lineage-tree.ts';
import { runHere } from '../support/in-process.ts';
import { times } from '../support/length.ts';
import { tempDir, tempFile } from '../support/temp.ts';

const NO_FILTERS = { phases: [], types: [], agents: [] };

/** Writes a log whose events have these causes: an index, or one that is not there. */
function write(causes: readonly (number | undefined)[], log = join(tempDir(), 'events.jsonl')): string {
  const lines = causes.map((cause, index) =>
    JSON.stringify({
      id: `event-${index}`,
      phase: index % 3 === 0 ? 'plan' : 'act',
      payload: {},
      timestamp: '2026-01-01T00:00:00Z',
      ...(cause !== undefined && { caused_by: `event-${cause}` }),
    }),
  );
  writeFileSync(log, `${lines.join('\n')}\n`);
  return log;
}

async function treeOf(log: string, phases: string[] = []) {
  const dialect = dialectNamed('noesis');
  if (dialect === undefined) throw new Error('there is the dialect noesis');
  const { lines, places } = await lineageTree(log, { ...NO_FILTERS, phases }, dialect);
  return places.map(({ branch }, at) => ({ index: lines.line(at) - 1, depth: branch?.depth ?? 0, branch }));
}

describe('a tree of events', () => {
  test('has each event once, and none before its cause, whatever the causes', async () => {
    const causes = fc.array(fc.option(fc.nat(14), { nil: undefined }), { minLength: 1, maxLength: 14 });
    // Of this test alone: one that is late would write into the log of the next.
    const log = join(tempDir(), 'events.jsonl');
    await fc.assert(
      fc.asyncProperty(causes, async (made) => {
        const order = (await treeOf(write(made, log))).map(({ index }) => index);
        expect(order.toSorted((a, b) => a - b)).toEqual(made.map((_, index) => index));
        const isInCircle = (index: number): boolean => {
          let at = made[index];
          for (let step = 0; at !== undefined && at < made.length && step <= made.length; step += 1) {
            if (at === index) return true;
            at = made[at];
          }
          return false;
        };
        for (const [index, cause] of made.entries()) {
          if (cause === undefined || cause >= made.length || isInCircle(index)) continue;
          expect(order.indexOf(index)).toBeGreaterThan(order.indexOf(cause));
        }
      }),
      { numRuns: times(300, 60) },
    );
  });

  test('is indented only where it branches', async () => {
    const log = write([undefined, 0, 1, 1, 2, 3]);
    expect((await treeOf(log)).map(({ index, depth }) => [index, depth])).toEqual([
      [0, 0],
      [1, 0],
      [2, 1],
      [4, 1],
      [3, 1],
      [5, 1],
    ]);
  });

  test('of a log that branches at every second event holds each branch once', async () => {
    const log = write(
      Array.from({ length: 20_001 }, (_, index) => (index === 0 ? undefined : index - 2 + (index % 2))),
    );
    const rows = await treeOf(log);
    expect(rows.at(-1)?.depth).toBe(10_000);
    const branches = new Set<unknown>();
    for (const { branch } of rows)
      for (const one of branch === undefined ? [] : [branch, branch.above]) branches.add(one);
    expect(branches.size).toBeLessThanOrEqual(rows.length + 1);
  });

  test('skips what the filters leave out', async () => {
    const log = write([undefined, 0, 1, 2, 2, 4, 5]);
    expect((await treeOf(log, ['plan'])).map(({ index }) => index)).toEqual([0, 3, 6]);
  });

  test('of one run has only the events of that run', async () => {
    const event = (run: string, id: string) =>
      JSON.stringify({
        id,
        run_id: run,
        turn: 0,
        kind: 'run.started',
        created_at: `2026-01-01T00:00:0${id}Z`,
      });
    const log = tempFile(`${event('a', '1')}\n${event('b', '2')}\n${event('b', '3')}\n`);
    const { lines, startedAt } = await lineageTree(
      log,
      { ...NO_FILTERS, own: [{ name: 'run', values: ['b'] }] },
      fishbowl,
    );
    expect(Array.from({ length: lines.length }, (_, at) => lines.line(at))).toEqual([2, 3]);
    expect(startedAt).toBe(Date.parse('2026-01-01T00:00:02Z'));
  });

  test('is shown with lines, in any width, and for people only', async () => {
    const log = write([undefined, 0, 0, 2]);
    const { stdout } = await runHere(['events', log, '--tree', '--utc', '--color', 'never'], { columns: 50 });
    const rows = stdout.trimEnd().split('\n').slice(1);
    expect(rows.map((row) => /[├╰│]?╴?(?:plan|act)/.exec(row)?.[0])).toEqual([
      'plan',
      '├╴act',
      '╰╴act',
      'plan',
    ]);
    for (const row of rows) expect(row.length).toBeLessThanOrEqual(50);
    for (const extra of [['-j'], ['--all'], ['--chain', '1'], ['--limit', '1'], [log]])
      expect((await runHere(['events', log, '--tree', ...extra])).code).toBe(2);
    writeFileSync(log, '{"torn\n');
    const torn = await runHere(['events', log, '--tree', '--dialect', 'noesis']);
    expect([torn.code, torn.stdout]).toEqual([1, '']);
  });
});
