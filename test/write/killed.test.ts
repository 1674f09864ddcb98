import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, type TestContext, test } from 'vitest';
import { verifyEpisode } from '../../src/library/verify.ts';
import { appendEvent } from '../../src/library/write.ts';
import { count, rounds, seed } from '../support/reliability.ts';
import { createRandom } from '../support/simulator/random.ts';
import { tempDir } from '../support/temp.ts';
import { Appender } from './support/appender.ts';
import { EPISODE, eventsIn, START } from './support/writers.ts';

const WRITERS = 3;
/** A writer reads the whole log after others wrote to it, so each log only gets a few rounds. */
const ROUNDS_A_LOG = 25;
/** So many processes are on their way while others write. */
const SPARE = 3;

/** Writers that have been started ahead: the start of a process takes longer than a round. */
class Spares {
  readonly #waiting: Appender[] = Array.from({ length: SPARE }, () => new Appender());
  #names = 0;

  /** A new writer of a log. */
  begins(log: string): Appender {
    this.#waiting.push(new Appender());
    this.#names += 1;
    return (this.#waiting.shift() ?? new Appender()).begins(log, `w${this.#names}`);
  }

  async end(): Promise<void> {
    for (const one of this.#waiting) await one.killed();
  }
}

const random = createRandom(seed);

/** Kills this many writers of one log, one after the other, and compares the log with the acknowledged events. */
async function killWriters(spares: Spares, times: number, context: TestContext): Promise<void> {
  const log = join(tempDir(), EPISODE, 'events.jsonl');
  mkdirSync(join(log, '..'));
  writeFileSync(log, START);
  const acknowledged: string[] = [];
  const writers = Array.from({ length: WRITERS }, () => spares.begins(log));
  let withLock = 0;
  for (let round = 0; round < times; round += 1) {
    const at = random.int(WRITERS);
    const writer = writers[at];
    await writer?.works(random.int(13));
    acknowledged.push(...((await writer?.killed()) ?? []));
    expect(writer?.errors).toBe('');
    if (writer?.hadLock) withLock += 1;
    writers[at] = spares.begins(log);
    // The next append finds a log without a torn line, or makes it so.
    await appendEvent(log, { id: `round-${round}`, phase: 'reason', payload: {} });
    const bytes = readFileSync(log);
    const ids = eventsIn(bytes.subarray(0, bytes.lastIndexOf(0x0a))).map(({ id }) => id);
    expect(ids).toContain(`round-${round}`);
  }
  for (const writer of writers) acknowledged.push(...(await writer.killed()));
  await appendEvent(log, { id: 'last', phase: 'reason', payload: {} });

  const ids = eventsIn(readFileSync(log)).map(({ id }) => String(id));
  expect(acknowledged.length).toBeGreaterThanOrEqual(times);
  expect(new Set(ids).size).toBe(ids.length);
  const there = new Set(ids);
  expect(acknowledged.filter((id) => !there.has(id))).toEqual([]);
  // Of a batch of two both are there, or none.
  const pairs = ids.filter((id) => /^w\d+-\d+$/.test(id) && Number(id.split('-')[1]) % 3 === 0);
  expect(pairs.filter((id) => !there.has(`${id}-b`))).toEqual([]);
  expect(readdirSync(join(log, '..')).filter((file) => file.endsWith('.lock'))).toEqual([]);
  // The log of an episode means the episode, and no program wrote a state.
  const { findings } = await verifyEpisode(log);
  expect(findings.filter(({ severity }) => severity !== 'info').map(({ code }) => code)).toEqual([
    'state/missing',
  ]);
  count(context, {
    'writers killed': times,
    'of them while they held the lock': withLock,
    'acknowledged events, each there once': acknowledged.length,
  });
}

describe('killed writers', () => {
  test('lose no acknowledged event, write none twice, and leave no torn line', async (context) => {
    const spares = new Spares();
    for (let left = rounds(300); left > 0; left -= ROUNDS_A_LOG)
      await killWriters(spares, Math.min(left, ROUNDS_A_LOG), context);
    await spares.end();
  }, 3_600_000);
});
