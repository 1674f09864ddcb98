import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { STATEMENTS } from './statements.ts';

const ID = /\b(?:EV|ST|WF|RL|CO)-\d{3}\b/g;

/** The ids in the texts of a test file, its comments left out. */
function named(file: string): string[] {
  const lines = readFileSync(join('test', file), 'utf8').split('\n');
  return lines.filter((line) => !/^\s*(?:\/\/|\*|\/\*)/.test(line)).flatMap((line) => line.match(ID) ?? []);
}

const files = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.test.ts'),
);
const byTests = new Set(files.flatMap(named));

describe('the statements of the documents', () => {
  const ids = STATEMENTS.map(({ id }) => id);

  test('are each in the list once, in order', () => {
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    for (const id of ids) expect(id).toMatch(/^[A-Z]{2}-\d{3}$/);
  });

  test('are each named by a test', () => {
    const unnamed = STATEMENTS.filter(({ id }) => !byTests.has(id));
    expect(unnamed.map(({ id, wording }) => `${id}: ${wording}`)).toEqual([]);
  });

  test('are in the catalogue if a test names one', () => {
    const known = new Set<string>(ids);
    const families = new Set(ids.map((id) => id.slice(0, 2)));
    const unknown = [...byTests].filter((id) => families.has(id.slice(0, 2)) && !known.has(id));
    expect(unknown).toEqual([]);
  });
});
