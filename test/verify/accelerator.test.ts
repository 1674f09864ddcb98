import { readdirSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { verifyEpisode } from '../../src/library/index.ts';
import { useAccelerator } from '../../src/log/accelerator/use.ts';
import { sampled } from '../support/length.ts';

const FIXTURES = 'test/fixtures';

/** Every log below a folder. */
const logsIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => `${folder}/${name}`);

afterEach(() => useAccelerator('always'));

describe('the accelerator', () => {
  const logs = [
    ...readdirSync(FIXTURES).map((name) => `${FIXTURES}/${name}`),
    ...logsIn('test/samples'),
    ...logsIn('examples'),
  ];
  test.each(sampled(logs, 150))('changes nothing in the report of %s', async (path) => {
    const read = async () => {
      try {
        return await verifyEpisode(path);
      } catch (error) {
        return String(error);
      }
    };
    useAccelerator('never');
    const plain = await read();
    useAccelerator('always');
    expect(await read()).toEqual(plain);
  });
});
