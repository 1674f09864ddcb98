import { expect, test } from 'vitest';
import { Budget } from '../../src/base/archives/budget.ts';
import type { ArchiveEntry } from '../../src/base/archives/entry.ts';
import { unpackParts } from '../../src/base/archives/unpack.ts';
import { tempDir } from '../support/temp.ts';

async function* noBytes(): AsyncGenerator<Buffer> {}

async function* entriesNamed(names: readonly string[]): AsyncGenerator<ArchiveEntry> {
  for (const name of names) yield { name, kind: 'file', content: noBytes() };
}

/** How often a folder is looked at while an archive is unpacked, in which some folders are episodes. */
async function looks(names: readonly string[], episodes: readonly string[] = []): Promise<number> {
  let count = 0;
  const root = tempDir();
  const look = (dir: string) => {
    count += 1;
    return Promise.resolve(episodes.some((name) => dir.endsWith(name)));
  };
  const parts = unpackParts(entriesNamed(names), {
    root,
    anotherRoot: () => ({ root: tempDir(), remove: () => {} }),
    budget: new Budget({ maxUnpacked: 1e9 }),
    holdsEpisode: look,
    isEpisode: look,
    problem: () => {},
  });
  for await (const _ of parts) {
    // Only the looks count.
  }
  return count;
}

const numbers = Array.from({ length: 500 }, (_, at) => at);

test.each<[string, string[], string[]]>([
  ['two folders', numbers.map((at) => `${at % 2}/${at}`), []],
  ['a folder and the one around it', numbers.map((at) => (at % 2 ? `a/${at}` : `${at}`)), []],
  ['files around an episode that was given', ['ep/log', ...numbers.map((at) => `${at}`)], ['/ep']],
])('checks the folders of an archive of interleaved files seldom: %s', async (_, names, episodes) => {
  expect(await looks(names, episodes)).toBeLessThan(60);
});
