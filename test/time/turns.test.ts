import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { hashFileInTurns } from '../../src/base/files/digest.ts';
import { YIELD_MS } from '../../src/base/time/yielder.ts';
import { noesis } from '../../src/dialects/noesis/index.ts';
import { compareRuns } from '../../src/read/compare/compare-runs.ts';
import { lineageTree } from '../../src/read/select/lineage-tree.ts';
import { selectLines } from '../../src/read/select/select.ts';
import { tempDir, tempFile } from '../support/temp.ts';

const EVENTS = 20;
const line = (at: number, more = '') =>
  `{"id":"event_${at}","phase":"act","timestamp":"2026-03-02T09:00:00Z"${at > 0 ? `,"caused_by":"event_${at - 1}"` : ''},"payload":{"n":"${more}"}}\n`;
const log = tempFile(Array.from({ length: EVENTS }, (_, at) => line(at)).join(''));
const other = tempFile(Array.from({ length: EVENTS }, (_, at) => line(at, 'other')).join(''));
const filters = { phases: [], types: [], agents: [] };

const run = (path: string) => ({ episode: path, path, dialect: noesis });

async function differences(): Promise<void> {
  const comparison = await compareRuns(run(log), run(other));
  for await (const difference of comparison.events()) expect(difference.kind).toBe('changed');
}

async function longFile(): Promise<void> {
  const path = join(tempDir(), 'long');
  writeFileSync(path, Buffer.alloc(EVENTS * 1024 * 1024));
  await hashFileInTurns(path);
}

/** Work of which each step takes as long as a turn: how often other work got its own meanwhile. */
async function turnsIn(work: () => Promise<unknown>): Promise<number> {
  let given = 0;
  let isOver = false;
  const other = () => {
    given += 1;
    if (!isOver) setImmediate(other);
  };
  setImmediate(other);
  await work();
  isOver = true;
  return given;
}

describe('yields to other work', () => {
  let now = 0;
  beforeEach(() => {
    vi.spyOn(Date, 'now').mockImplementation(() => {
      now += YIELD_MS;
      return now;
    });
  });
  afterEach(() => vi.restoreAllMocks());

  test.each<[string, () => Promise<unknown>]>([
    [
      'a chain of causes is followed',
      () => selectLines(log, { filters, chain: `event_${EVENTS - 1}` }, noesis),
    ],
    ['what an event led to is sought', () => selectLines(log, { filters, descendants: 'event_0' }, noesis)],
    [
      'the beginning of an id is sought',
      async () => {
        const found = selectLines(log, { filters, chain: 'event' }, noesis);
        await expect(found).rejects.toMatchObject({ code: 'event-ambiguous' });
      },
    ],
    ['a tree of causes is made', () => lineageTree(log, filters, noesis)],
    ['two runs are compared', differences],
    ['a long file is hashed', longFile],
  ])('while %s', async (_what, work) => {
    expect(await turnsIn(work)).toBeGreaterThanOrEqual(EVENTS);
  });
});
