import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { verifyEpisode } from '../../src/library-verify.ts';
import { appendEvent } from '../../src/library-write.ts';
import { count, rounds, seed } from '../support/reliability.ts';
import { createRandom } from '../support/simulator/random.ts';
import { tempDir } from '../support/temp.ts';
import { Appender } from './support/appender.ts';
import { EPISODE, eventsIn, START } from './support/writers.ts';

const WRITERS = 3;

describe('writers that are killed', () => {
  test('lose nothing that was acknowledged, write nothing twice, and leave no torn line behind', async (context) => {
    const log = join(tempDir(), EPISODE, 'events.jsonl');
    mkdirSync(join(log, '..'));
    writeFileSync(log, START);
    const random = createRandom(seed);
    const acknowledged: string[] = [];
    let name = 0;
    const spawned = () => new Appender(log, `w${++name}`);
    const writers = Array.from({ length: WRITERS }, spawned);
    for (let round = 0; round < rounds(30); round += 1) {
      const at = random.int(WRITERS);
      await writers[at]?.works(random.int(13));
      const said = await writers[at]?.killed();
      expect(writers[at]?.errors).toBe('');
      acknowledged.push(...(said ?? []));
      // The next append finds a log without a torn line, or makes it so.
      await appendEvent(log, { id: `round-${round}`, phase: 'reason', payload: {} });
      const bytes = readFileSync(log);
      const ids = eventsIn(bytes.subarray(0, bytes.lastIndexOf(0x0a))).map(({ id }) => id);
      expect(ids).toContain(`round-${round}`);
      writers[at] = spawned();
    }
    for (const writer of writers) acknowledged.push(...(await writer.killed()));
    await appendEvent(log, { id: 'last', phase: 'reason', payload: {} });

    const ids = eventsIn(readFileSync(log)).map(({ id }) => String(id));
    expect(acknowledged.length).toBeGreaterThan(rounds(30));
    expect(new Set(ids).size).toBe(ids.length);
    const there = new Set(ids);
    expect(acknowledged.filter((id) => !there.has(id))).toEqual([]);
    // Of a batch of two both are there, or none.
    const pairs = ids.filter((id) => /^w\d+-\d+$/.test(id) && Number(id.split('-')[1]) % 3 === 0);
    expect(pairs.filter((id) => !there.has(`${id}-b`))).toEqual([]);
    expect(readdirSync(join(log, '..')).filter((file) => file.endsWith('.lock'))).toEqual([]);
    count(context, {
      'writers killed': rounds(30) + WRITERS,
      'acknowledged events, each there once': acknowledged.length,
    });
    const report = await verifyEpisode(log);
    expect(report.findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
  }, 3_600_000);
});
