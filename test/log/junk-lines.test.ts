import { expect, test } from 'vitest';
import { verifyEpisode } from '../../src/library/index.ts';
import { tempFile } from '../support/temp.ts';

// Describing every line would take 3 to 30 times as long as parsing it.
test.each([
  ['lists', '[1,2]'],
  ['numbers', '123456'],
  ['words', 'xyz not json'],
])('verify describes the first thousand lines that are %s, and counts the others', async (_, line) => {
  const path = tempFile(`${line}\n`.repeat(20_000), 'junk.jsonl');
  const { verdict, findings, omitted = [] } = await verifyEpisode(path, { dialect: 'generic' });
  expect(verdict).toBe('fail');
  const lines = findings.filter(({ severity }) => severity === 'error').map((finding) => finding.line);
  expect(lines).toEqual(Array.from({ length: 1000 }, (_none, at) => at + 1));
  expect(omitted.reduce((sum, { count }) => sum + count, 0)).toBe(19_000);
});
