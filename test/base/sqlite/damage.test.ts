import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readDatabase } from '../../../src/base/sqlite/database.ts';
import { SAMPLES } from '../../support/cli.ts';
import { isWhole, seed, times } from '../../support/length.ts';
import { createRandom } from '../../support/simulator/random.ts';
import { tempDir, writeSettled } from '../../support/temp.ts';
import { linesOf, storedRows } from './sqlite3.ts';

const FOLDER = join(SAMPLES, 'opencode', 'db-wal-1.18.33');
const TABLES = ['session', 'message', 'part', 'event'];

/** What is read of a table, or the error. */
function rowsIn(
  path: string,
  table: string,
): { readonly lines: string[]; readonly columns: readonly string[] } | undefined {
  try {
    return readDatabase(path, undefined, (database) => ({
      lines: linesOf(database.rows(table)),
      columns: database.columns(table),
    }));
  } catch (error) {
    expect(error).toMatchObject({ name: 'FileError', code: 'unreadable' });
    return undefined;
  }
}

function stored(path: string, table: string, columns: readonly string[]): string[] | undefined {
  try {
    return columns.length === 0 ? [] : storedRows(path, table, columns);
  } catch {
    return undefined;
  }
}

describe('damaged bytes never give other rows than SQLite', () => {
  test.each(['', '-wal'])('in opencode.db%s', { timeout: 300_000 }, (end) => {
    const random = createRandom(seed);
    const dir = tempDir();
    const [ours, theirs] = [join(dir, 'ours.db'), join(dir, 'theirs.db')];
    const original = readFileSync(join(FOLDER, `opencode.db${end}`));
    let [refused, equal] = [0, 0];
    for (let round = 0; round < times(150, 25); round += 1) {
      const bytes = Buffer.from(original);
      for (let left = 1 + random.int(3); left > 0; left -= 1) {
        // Most structure is at the start of pages.
        const page = 4096 * random.int(Math.floor(bytes.length / 4096));
        const at = page + (random.int(2) === 0 ? random.int(120) : random.int(4096));
        bytes[at] = random.int(256);
      }
      for (const path of [ours, theirs]) {
        const other = end === '' ? '-wal' : '';
        writeSettled(path + other, readFileSync(join(FOLDER, `opencode.db${other}`)));
        writeSettled(path + end, bytes);
      }
      for (const table of TABLES) {
        const found = rowsIn(ours, table);
        if (found === undefined) {
          refused += 1;
          continue;
        }
        const expected = stored(theirs, table, found.columns);
        // SQLite does not refuse each damage, and noesis not the same ones.
        if (expected !== undefined)
          expect(found.lines, `seed ${seed}, round ${round}, ${table}`).toEqual(expected);
        equal += 1;
      }
    }
    expect(refused).toBeGreaterThan(end !== '' ? -1 : isWhole ? 5 : 0);
    expect(equal).toBeGreaterThan(20);
  });

  test('a file that ends anywhere is refused or read, and never waits', () => {
    const path = join(tempDir(), 'cut.db');
    const original = readFileSync(join(FOLDER, 'opencode.db'));
    for (let length = 0; length < original.length; length += times(1511, 9973)) {
      writeSettled(path, original.subarray(0, length));
      for (const table of TABLES) rowsIn(path, table);
    }
  });
});
