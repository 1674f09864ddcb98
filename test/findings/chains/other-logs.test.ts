import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { profilesOf } from '../../../src/findings/chains/choose.ts';
import { CHAIN_SAMPLES } from './chain-samples.ts';

/** Every file of the samples and examples that is not a sample of a chain. */
function files(dir: string): string[] {
  return readdirSync(dir).flatMap((name) => {
    const path = join(dir, name);
    if (`${path}/` === CHAIN_SAMPLES || !existsSync(path)) return [];
    return statSync(path).isDirectory() ? files(path) : statSync(path).isFile() ? [path] : [];
  });
}

it('no log of another format is taken for a chain', () => {
  const folders = ['../../samples/', '../../fixtures/', '../../../examples/'];
  const all = folders.flatMap((folder) => files(fileURLToPath(new URL(folder, import.meta.url))));
  expect(all.length).toBeGreaterThan(300);
  expect(all.filter((path) => profilesOf(path, undefined).length > 0)).toEqual([]);
});
