import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { parseJson } from '../../../src/base/json/parse.ts';
import { asObject } from '../../../src/dialects/kit/members.ts';
import { NO_TOKENS, totalTokens } from '../../../src/dialects/kit/tokens.ts';
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
    ['done', 689],
  ]);
});

test('a turn that was aborted stays so when the next one begins', async () => {
  expect(await turnsIn('damaged/torn-then-resumed-by-0.169.0.jsonl')).toEqual([
    ['interrupted', 4409],
    ['done', 361],
  ]);
});

test('a turn lasts as long as the program measured, since the first record', async () => {
  // The program measured 469 ms, of which 19 were before it wrote the first record. Line 42 is damaged.
  expect((await turnsIn(relative(FOLDER, TURNS))).map(([, took]) => took)).toEqual([450, 359, 497, 699, 131]);
  const log = 'sessions/2026/11/22/rollout-2026-11-22T08-35-11-01a20265-2037-7e02-b97b-69c62b47e2b8.jsonl';
  expect((await turnsIn(log)).map(([, took]) => took)).toEqual([907]);
});

const TURNS = join(
  FOLDER,
  '../doctor/codex/original/.codex/sessions/2026/11/26/rollout-2026-11-26T12-09-32-01a217c2-ccf6-7162-9369-2144d5048745.jsonl',
);
const LINES = readFileSync(TURNS, 'utf8').trimEnd().split('\n');

/** The tokens of each turn if some lines are lost. */
function tokensWithout(lost: ReadonlySet<number>): number[] {
  const reader = new RolloutReader();
  for (const [index, line] of LINES.entries()) if (!lost.has(index)) reader.add(JSON.parse(line), index + 1);
  return reader.document().turns.map(({ tokens = NO_TOKENS }) => totalTokens(tokens));
}

/** The places of the lines of a type. */
const placesOf = (type: string): number[] =>
  LINES.flatMap((line, index) => (line.includes(`"type":"${type}"`) ? [index] : []));

test('the tokens of a request whose usage record is lost belong to its turn', () => {
  const whole = [240, 240, 240, 240, 120];
  const [records, events] = [placesOf('token_usage_record'), placesOf('token_count')];
  expect(records).toHaveLength(9);
  for (const lost of [...records, ...events]) expect(tokensWithout(new Set([lost]))).toEqual(whole);
  for (const lost of [[], records, events, records.slice(3), records.slice(0, 3)])
    expect(tokensWithout(new Set(lost))).toEqual(whole);
});

test('the end of a turn has its answer, if the record of the answer is missing', () => {
  const answersOf = (lines: readonly string[]) => {
    const reader = new RolloutReader();
    for (const [at, line] of lines.entries()) reader.add(asObject(parseJson(line)), at + 1);
    const { turns, outcome } = reader.document();
    return [outcome, ...turns.map(({ answer }) => answer)];
  };
  const log = 'sessions/2026/11/22/rollout-2026-11-22T08-35-11-01a20265-2037-7e02-b97b-69c62b47e2b8.jsonl';
  const lines = readFileSync(join(FOLDER, log), 'utf8').trimEnd().split('\n');
  const answer = lines.findLastIndex((line) => /"response_item".*"role":"assistant"/.test(line));
  const isLeftOut = lines.toSpliced(answer, 1);
  expect(answer).toBeGreaterThan(0);
  expect(answersOf(isLeftOut)).toEqual(answersOf(lines));
  expect(answersOf(lines)[0]).toContain('the check failed with exit code 3');
});
