import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runSql, withSqlite } from '../../base/sqlite/sqlite3.ts';
import { runHere } from '../../support/in-process.ts';
import { tempDir } from '../../support/temp.ts';

const event = (run: string, turn: number, kind: string, payload: string) =>
  `INSERT INTO events(id, run_id, turn, kind, actor, payload, created_at, schema_version, session_id) VALUES ('${run}-${turn}', '${run}', ${turn}, '${kind}', 'conductor', '${payload}', '2026-06-0${turn + 1}T10:00:00+00:00', 1, 's-1');`;

describe('the database of a ledger', () => {
  /** A ledger with two runs, written in turns. The second ends only in the write-ahead log. */
  function ledger(): string {
    const dir = tempDir();
    const path = join(dir, 'ledgers', 'events.db');
    mkdirSync(join(dir, 'ledgers'));
    const statements = [
      'PRAGMA journal_mode=WAL;',
      'CREATE TABLE events("offset" INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE NOT NULL, run_id TEXT NOT NULL, turn INTEGER NOT NULL, kind TEXT NOT NULL, actor TEXT NOT NULL, payload TEXT NOT NULL, created_at TEXT NOT NULL, schema_version INTEGER NOT NULL, session_id TEXT, model_profile TEXT, model_id TEXT);',
      event('one', 0, 'run.started', '{"seed": "a cat"}'),
      event('two', 0, 'run.started', '{"seed": "a dog"}'),
      event('one', 1, 'agent.spoke', '{"text": "meow"}'),
      'PRAGMA wal_checkpoint(TRUNCATE);',
      event('two', 1, 'agent.spoke', '{"text": "woof"}'),
    ];
    const work = join(dir, 'work.db');
    withSqlite(work, (database) => {
      database.exec(statements.join('\n'));
      for (const end of ['', '-wal']) copyFileSync(work + end, path + end);
    });
    return path;
  }

  test('is read run by run, with the rows of the write-ahead log', async () => {
    const path = ledger();
    for (const target of [path, join(path, '..')]) {
      const { stdout } = await runHere(['list', target, '-j']);
      const listed = JSON.parse(stdout) as { dialect: string; path: string }[];
      expect(listed.map((one) => [one.dialect, one.path]).sort()).toEqual([
        ['fishbowl', `${path}#one`],
        ['fishbowl', `${path}#two`],
      ]);
    }
    const { stdout } = await runHere(['events', `${path}#two`, '-j']);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      {
        id: 'two-0',
        run_id: 'two',
        turn: 0,
        kind: 'run.started',
        payload: { seed: 'a dog' },
        session_id: 's-1',
        model_id: null,
      },
      {
        id: 'two-1',
        kind: 'agent.spoke',
        payload: { text: 'woof' },
        created_at: '2026-06-02T10:00:00+00:00',
      },
    ]);
    expect((await runHere(['read', `${path}#one`])).stdout).toContain('meow');
    expect((await runHere(['verify', path])).stdout).toContain('2 runs');
  });

  test('has a damaged payload reported on its line', async () => {
    const path = ledger();
    runSql(path, `UPDATE events SET payload='{"text": "wo' WHERE id='two-0';`);
    expect((await runHere(['verify', `${path}#two`])).stdout).toMatch(/log\/invalid-json|log\/truncated/);
  });
});
