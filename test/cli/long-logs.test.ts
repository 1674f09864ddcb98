import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../commands/program.ts';
import { episodeIn, GOOD } from '../support/episodes.ts';
import { within } from '../support/in-process.ts';
import { tempDir } from '../support/temp.ts';

/** How often `verify` said that threads are to read long logs; each episode has a further file of this size. */
async function timesLong(sizes: readonly number[]): Promise<number> {
  const cwd = tempDir();
  for (const [seed, size] of sizes.entries()) {
    const file = join(episodeIn(cwd, { ...GOOD, seed: seed + 1 }).dir, 'notes.txt');
    writeFileSync(file, '');
    truncateSync(file, size);
  }
  let times = 0;
  const readsMuch = () => {
    times += 1;
  };
  const { code } = await within({ cwd }, (io) => run(['verify', '.'], { ...io, readsMuch }));
  expect(code).toBe(0);
  return times;
}

test('threads for much to read are announced, those for less, for one log or for many small ones are not', async () => {
  const long = 96 * 1024 ** 2;
  expect(await timesLong([long, long])).toBe(1);
  expect(await timesLong([long / 4])).toBe(0);
  expect(await timesLong([long / 4, long / 4])).toBe(0);
  expect(await timesLong(Array<number>(100).fill(0))).toBe(0);
});
