import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { isDocument } from '../../../src/find/document-logs.ts';
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

const folders = ['../../samples/', '../../fixtures/', '../../../examples/'];
const all = folders.flatMap((folder) => files(fileURLToPath(new URL(folder, import.meta.url))));

it('no log of another format is taken for a chain', () => {
  expect(all.length).toBeGreaterThan(300);
  expect(all.filter((path) => profilesOf(path, undefined).length > 0)).toEqual([]);
});

it('no other document is taken for one with chained records', () => {
  const documents = all.filter((path) => basename(path) === 'expected.json');
  expect(documents.length).toBeGreaterThan(5);
  const head = (path: string) => readFileSync(path, 'latin1').slice(0, 4096);
  expect(documents.filter((path) => isDocument(basename(path), head(path)) === true)).toEqual([]);
});
