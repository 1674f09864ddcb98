import { expect, test } from 'vitest';
import { verifyEpisode } from '../../src/library/index.ts';
import { tempFile } from '../support/temp.ts';

/** The processor time of some work, in milliseconds. */
async function timeOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The loop that everybody writes. */
function parseLoop(text: string): number {
  let faults = 0;
  for (const line of text.split('\n')) {
    try {
      JSON.parse(line);
    } catch {
      faults += 1;
    }
  }
  return faults;
}

// The first thousand lines are described. The others were too, which took 3 to 30 times as long as the loop.
test.each<[what: string, line: string, lines: number, most: number]>([
  ['lists', '[1,2]', 200_000, 8],
  ['numbers', '123456', 200_000, 8],
  // The loop throws an error for each.
  ['words', 'xyz not json', 60_000, 1.5],
])('verify counts lines that are %s about as fast as JSON.parse reads them', async (_, line, lines, most) => {
  const text = `${line}\n`.repeat(lines);
  const path = tempFile(text, 'junk.jsonl');
  await verifyEpisode(tempFile(`${line}\n`.repeat(1000), 'first.jsonl'), { dialect: 'generic' });
  const ratios: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const took = await timeOf(async () => {
      const { findings, omitted = [] } = await verifyEpisode(path, { dialect: 'generic' });
      const counted = findings.length + omitted.reduce((sum, { count }) => sum + count, 0);
      expect(counted).toBeGreaterThanOrEqual(lines);
    });
    ratios.push(took / (await timeOf(() => parseLoop(text))));
  }
  expect(Math.min(...ratios)).toBeLessThan(most);
});
