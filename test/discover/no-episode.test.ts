import { expect, test } from 'vitest';
import { runHere } from '../support/in-process.ts';
import { writeTree } from '../support/temp.ts';

const SQLITE = Buffer.from(
  `${'SQLite format 3\0'.padEnd(100, '\0')}CREATE TABLE events (streamId TEXT, sequence INTEGER)`,
);

test.each(['verify', 'list', 'stats'])(
  '%s says of a folder with only a database what it is, and how to export it',
  async (command) => {
    const cwd = writeTree({ 'exarchos.db': SQLITE, 'notes.db': 'text' });
    const { code, stderr } = await runHere([command, '.'], { cwd });
    expect(code).toBe(3);
    expect(stderr).toMatch(/exarchos\.db is a SQLite database: export its events as JSONL first/);
    expect(stderr).toMatch(/sqlite3 -readonly/);
  },
);

test('a file that only has the name of a database is not refused', async () => {
  const cwd = writeTree({ 'notes.db': 'text' });
  const { code, stderr } = await runHere(['verify', '.'], { cwd });
  expect([code, stderr]).toEqual([3, expect.stringContaining('give a log, or a folder with logs')]);
});
