import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as noesis from '../../src/library/index.ts';
import { EXAMPLES } from '../support/cli.ts';
import { writeTree } from '../support/temp.ts';

const LEDGER = join(EXAMPLES, 'other-dialects/fishbowl/ledger.jsonl');
const HEIST = 'heist-0002';

interface Entry {
  readonly run_id: string;
}

async function followed(target: string): Promise<string[]> {
  const seen: string[] = [];
  const { signal } = new AbortController();
  const wanted = (await noesis.readEvents(LEDGER)).length;
  for await (const item of noesis.followEvents<Entry>(target, { signal, pollMs: 5 })) {
    seen.push(item.kind === 'event' ? item.event.run_id : item.kind);
    if (seen.length === 4 || seen.length === wanted) break;
  }
  return seen;
}

describe('one run of a log with several', () => {
  test.each([
    ['its id', HEIST],
    ['the beginning of its id', 'heist'],
  ])('is read by %s, with the lines of the file', async (_, id) => {
    const lines: number[] = [];
    for await (const { line, event } of noesis.iterNumberedEvents<Entry>(`${LEDGER}#${id}`)) {
      expect(event.run_id).toBe(HEIST);
      lines.push(line);
    }
    expect(lines).toEqual([4, 6, 7, 11]);
    expect(await noesis.readEvents(`${LEDGER}#${id}`)).toHaveLength(4);
  });

  test('is followed', async () => {
    expect(await followed(`${LEDGER}#heist`)).toEqual(Array(4).fill(HEIST));
  });

  test('is verified', async () => {
    expect(await noesis.verifyEpisode(`${LEDGER}#${HEIST}`)).toMatchObject({ events: 4 });
  });

  test.each([
    ['readEvents', (target: string) => noesis.readEvents(target)],
    ['verifyEpisode', (target: string) => noesis.verifyEpisode(target)],
    ['projectEpisode', (target: string) => noesis.projectEpisode(target)],
    ['diffRuns', (target: string) => noesis.diffRuns(LEDGER, target)],
    ['followEvents', followed],
  ])('that does not exist is refused by %s', async (_, ask) => {
    await expect(ask(`${LEDGER}#nobody`)).rejects.toMatchObject({ code: 'target-missing' });
  });

  test('is refused if several begin like it', async () => {
    const text = readFileSync(LEDGER, 'utf8');
    const other = text.replaceAll(HEIST, 'heist-0009');
    const log = join(writeTree({ 'ledger.jsonl': text + other }), 'ledger.jsonl');
    await expect(noesis.readEvents(`${log}#heist`)).rejects.toMatchObject({
      code: 'target-ambiguous',
      message: expect.stringContaining('heist matches 2 runs'),
    });
  });

  test('is refused for a log of one run', async () => {
    const one = join(EXAMPLES, 'other-dialects/exarchos/checkout.events.jsonl');
    await expect(noesis.readEvents(`${one}#nobody`)).rejects.toMatchObject({ code: 'usage' });
  });
});
