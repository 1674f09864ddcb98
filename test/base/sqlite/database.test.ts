import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Database, readDatabase, type SqlRow } from '../../../src/base/sqlite/database.ts';
import { SAMPLES } from '../../support/cli.ts';
import { tempDir } from '../../support/temp.ts';
import { linesOf, runSql, storedRows, withSqlite } from './sqlite3.ts';

const sample = (name: string): string => join(SAMPLES, 'opencode', name, 'opencode.db');

/** Copies a database with its write-ahead log, because SQLite writes to what it reads. */
function copyOf(path: string): string {
  const copy = join(tempDir(), basename(path));
  for (const end of ['', '-wal']) if (existsSync(path + end)) copyFileSync(path + end, copy + end);
  return copy;
}

/** Makes a database by statements. Its write-ahead log or its journal stays. */
function made(...statements: readonly string[]): string {
  const dir = tempDir();
  const [work, path] = [join(dir, 'work.db'), join(dir, 'made.db')];
  withSqlite(work, (database) => {
    database.exec(statements.join('\n'));
    for (const end of ['', '-wal', '-journal'])
      if (existsSync(work + end)) copyFileSync(work + end, path + end);
  });
  return path;
}

const read = <T>(path: string, what: (database: Database) => T): T => readDatabase(path, undefined, what);

/** Compares every table with what SQLite reads, and a look-up of every text in every column with a scan. */
function compare(path: string): number {
  const copy = copyOf(path);
  return read(path, (database) => {
    for (const table of database.tables) {
      const columns = database.columns(table);
      expect(linesOf(database.rows(table)), table).toEqual(storedRows(copy, table, columns));
    }
    return database.tables.length;
  });
}

test('a page that is damaged while the program writes is not called damaged', () => {
  const path = copyOf(sample('db-1.18.33'));
  let size = statSync(path).size;
  const half = () => {
    // Each time, the program has written more.
    size += 4096;
    truncateSync(path, size);
    throw new Error('a page is half written');
  };
  expect(() => read(path, half)).toThrow('its program kept writing to it');
});

describe('a database is read as SQLite reads it', () => {
  test.each(['db-1.18.33', 'db-1.2.27', 'db-wal-1.18.33'])('%s', (name) => {
    expect(compare(sample(name))).toBeGreaterThan(10);
  });

  test.each([512, 1024, 4096, 65_536])('values of every type and size, in pages of %i bytes', (size) => {
    const path = made(
      `PRAGMA page_size=${size};`,
      'CREATE TABLE t(id INTEGER PRIMARY KEY, "a b" TEXT, [c,d] BLOB, `e``f` REAL, g, -- a comment, with (',
      " h TEXT DEFAULT 'it''s, (so)', CHECK (g <> 'x)'), UNIQUE (id, g));",
      'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)',
      "INSERT INTO t SELECT i * 7, printf('%.*c', i * i % 9001, 'ä'), randomblob(i * 31 % 70000), i / 3.0, i << (i % 62), NULL FROM n;",
      'INSERT INTO t(id, g) VALUES (-9223372036854775808, 9223372036854775807), (9223372036854775807, -1.5e300);',
      'DELETE FROM t WHERE id % 5 = 0;',
      "ALTER TABLE t ADD COLUMN later TEXT DEFAULT 'new';",
      'ALTER TABLE t ADD COLUMN count INTEGER NOT NULL DEFAULT -3;',
      'CREATE TABLE empty(a);',
    );
    expect(compare(path)).toBe(2);
  });

  test('rows that only the write-ahead log has, and rows that it replaces', () => {
    const path = made(
      'PRAGMA journal_mode=WAL;',
      'CREATE TABLE t(k TEXT, v);',
      "INSERT INTO t VALUES ('a', 1), ('b', 2);",
      'PRAGMA wal_checkpoint(TRUNCATE);',
      "UPDATE t SET v = 3 WHERE k = 'a';",
      "INSERT INTO t SELECT 'c', randomblob(9000);",
    );
    expect(compare(path)).toBe(1);
    expect(read(path, (database) => [...database.rows('t')].map(({ v }) => v))[0]).toBe(3);
  });

  test('a write that was not committed, and frames of an older round, are ignored', () => {
    const path = made(
      'PRAGMA journal_mode=WAL;',
      'CREATE TABLE t(v);',
      'INSERT INTO t SELECT randomblob(40000);',
      'PRAGMA wal_checkpoint(RESTART);',
      'INSERT INTO t VALUES (1);',
    );
    expect(compare(path)).toBe(1);
    const wal = readFileSync(`${path}-wal`);
    // The last frame of the transaction, which commits it, breaks off.
    const frame = 24 + 4096;
    const salt = wal.subarray(16, 24);
    let last = 32;
    while (wal.subarray(last + frame + 8, last + frame + 16).equals(salt)) last += frame;
    writeFileSync(`${path}-wal`, wal.subarray(0, last + frame - 1));
    expect(read(path, (database) => database.count('t'))).toBe(1);
    expect(compare(path)).toBe(1);
  });

  test('rows are found by an index as by a scan', () => {
    const path = made(
      'PRAGMA page_size=512;',
      'CREATE TABLE t(k TEXT, v INTEGER);',
      'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)',
      "INSERT INTO t SELECT 'key ' || (i % 211) || 'ü', i FROM n;",
      "INSERT INTO t VALUES (NULL, 1), (7, 2), (x'6b', 3);",
      'CREATE INDEX by_v ON t(v, k);',
      'CREATE INDEX some ON t(k) WHERE v > 100;',
      'CREATE INDEX backwards ON t(k DESC);',
      'CREATE INDEX without_case ON t(k COLLATE NOCASE);',
      'CREATE INDEX "by k" ON "t"(`k`, v);',
    );
    read(path, (database) => {
      for (const key of ['key 0ü', 'key 17ü', 'key 210ü', 'key 99', '', 'zzz']) {
        const scanned = [...database.rows('t')].filter(({ k }) => k === key);
        const byNumber = (a: SqlRow, b: SqlRow) => Number(a['v']) - Number(b['v']);
        expect([...database.rowsWith('t', 'k', key)].sort(byNumber)).toEqual(scanned);
        expect(scanned.length).toBe(
          /^key \d+ü$/.test(key)
            ? Math.floor((3000 - Number(/\d+/.exec(key)?.[0])) / 211) + (key === 'key 0ü' ? 0 : 1)
            : 0,
        );
      }
    });
  });
});

describe('what noesis does not know is refused', () => {
  const why = (path: string, table = 't'): string => {
    try {
      return read(path, (database) => `read ${[...database.rows(table)].length} rows`);
    } catch (error) {
      return String(error);
    }
  };

  test('a table without row numbers, but only if it is read', () => {
    const path = made(
      'CREATE TABLE t(a PRIMARY KEY) WITHOUT ROWID;',
      'CREATE TABLE u(a);',
      'INSERT INTO u VALUES (1);',
    );
    expect(why(path)).toContain('WITHOUT ROWID');
    expect(why(path, 'u')).toBe('read 1 rows');
  });

  test('a virtual table', () => {
    expect(why(made('CREATE VIRTUAL TABLE t USING fts5(a);'))).toContain('virtual table');
  });

  test('texts in UTF-16', () => {
    const path = made('CREATE TABLE t(a);');
    const bytes = readFileSync(path);
    // This build of SQLite makes no such database. The number in the header is 2 in one with UTF-16le.
    bytes.writeUInt32BE(2, 56);
    writeFileSync(path, bytes);
    expect(why(path)).toContain('UTF-16');
  });

  test('text that is not UTF-8', () => {
    expect(why(made('CREATE TABLE t(a);', "INSERT INTO t VALUES (CAST(x'61ff' AS TEXT));"))).toMatch(
      /page 2 is damaged: .*UTF-8/,
    );
  });

  test('an unfinished write in a rollback journal', () => {
    const path = made(
      'CREATE TABLE t(a);',
      'INSERT INTO t VALUES (1);',
      'PRAGMA cache_size=1;',
      'BEGIN;',
      'INSERT INTO t SELECT randomblob(100000);',
    );
    expect(why(path)).toContain('unfinished write');
    truncateSync(`${path}-journal`, 0);
    expect(why(path)).not.toContain('unfinished write');
  });

  test('an encrypted or foreign file, a cut header, a cut page', () => {
    const path = made('CREATE TABLE t(a);', 'INSERT INTO t VALUES (1);');
    const bytes = readFileSync(path);
    const damaged = (change: (bytes: Buffer) => Buffer): string => {
      const copy = join(tempDir(), 'copy.db');
      writeFileSync(copy, change(Buffer.from(bytes)));
      return why(copy);
    };
    expect(damaged(() => Buffer.alloc(4096, 7))).toContain('not a SQLite database, or it is encrypted');
    expect(damaged((all) => all.subarray(0, 60))).toContain('ends within its header');
    expect(damaged((all) => all.subarray(0, 6000))).toMatch(/page 2 is damaged/);
    expect(
      damaged((all) => Buffer.concat([all.subarray(0, 16), Buffer.from([0x10, 0x01]), all.subarray(18)])),
    ).toContain('4097 bytes');
    expect(
      damaged((all) => Buffer.concat([all.subarray(0, 19), Buffer.from([3]), all.subarray(20)])),
    ).toContain('newer version');
  });

  test.each(['-wal', '-journal'])('a symlink out of the folder in place of the file %s', (end) => {
    const path = join(tempDir(), 'made.db');
    runSql(path, 'PRAGMA journal_mode=WAL;', 'CREATE TABLE t(a);');
    rmSync(path + end, { force: true });
    const foreign = join(tempDir(), 'foreign');
    writeFileSync(foreign, 'a foreign text');
    for (const to of [foreign, 'missing']) {
      symlinkSync(to, path + end);
      expect(why(path)).toContain(`made.db${end} next to it is a symlink out of the folder`);
      rmSync(path + end);
    }
  });

  test('a file that is no file', () => {
    const pipe = join(tempDir(), 'pipe.db');
    if (spawnSync('mkfifo', [pipe]).status === 0) expect(why(pipe)).toContain('not a regular file');
  });
});
