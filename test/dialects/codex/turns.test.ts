import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RolloutReader } from '../../../src/dialects/sessions/codex/reader.ts';
import { SAMPLES } from '../../support/cli.ts';
import { sessionIn } from '../sessions.ts';

const FOLDER = join(SAMPLES, 'codex');

/** How each turn of a sample ended, and how long it took. */
async function turnsIn(path: string): Promise<[status: string, durationMs: number | undefined][]> {
  const { turns } = await sessionIn(join(FOLDER, path), new RolloutReader());
  return turns.map(({ status, duration_ms: took }) => [status, took]);
}

test('a turn whose program was killed in a call was interrupted, and ends with its last record', async () => {
  const killed = 'sessions/2026/11/22/rollout-2026-11-22T08-37-29-01a20267-3b5a-7330-8e90-645a845357cd.jsonl';
  expect(await turnsIn(killed)).toEqual([
    ['interrupted', 128],
    ['done', 599],
  ]);
});

test('a turn that was aborted stays so when the next one begins', async () => {
  expect(await turnsIn('damaged/torn-then-resumed-by-0.169.0.jsonl')).toEqual([
    ['interrupted', 4382],
    ['done', 337],
  ]);
});
