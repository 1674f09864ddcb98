import { readdirSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { verifyEpisode } from '../../src/index.ts';
import { useAccelerator } from '../../src/log/accelerator/use.ts';

const FIXTURES = 'test/fixtures';

afterEach(() => useAccelerator('where-it-pays'));

describe('the accelerator', () => {
  test.each(readdirSync(FIXTURES))('changes nothing in the report of %s', async (name) => {
    const read = async () => {
      try {
        return await verifyEpisode(`${FIXTURES}/${name}`);
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
