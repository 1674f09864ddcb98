import { createHash } from 'node:crypto';
import sqlite from 'node-sqlite3-wasm';
import type { SqlRow, SqlValue } from '../../../src/base/sqlite/database.ts';

// SQLite itself, compiled to WebAssembly, with which the reader is compared.

type Sqlite = InstanceType<typeof sqlite.Database>;

/**
 * A write-ahead log needs shared memory, or one user alone. The rest is what SQLite does by default elsewhere: with full
 * synchronization, it repeats the last frame of a transaction to fill a sector of the disk.
 */
const SETTINGS = 'PRAGMA locking_mode=EXCLUSIVE; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=OFF;';

/** Opens a database, uses it and closes it, which empties its write-ahead log. Throws the errors of SQLite. */
export function withSqlite<T>(path: string, use: (database: Sqlite) => T): T {
  const database = new sqlite.Database(path);
  try {
    database.exec(SETTINGS);
    return use(database);
  } finally {
    database.close();
  }
}

/** Runs statements on a database. */
export const runSql = (path: string, ...statements: readonly string[]): void =>
  withSqlite(path, (database) => database.exec(statements.join('\n')));

/** The first column of the rows that a query gives. */
export const valuesIn = (database: Sqlite, query: string): unknown[] =>
  database.all(query).flatMap((row) => Object.values(row).slice(0, 1));

/** Long values are compared by their hash, so that a difference can be read. */
const shortened = (text: string): string =>
  text.length < 100 ? text : `${text.slice(0, 10)}… ${createHash('sha256').update(text).digest('hex')}`;

/** A value as the function `quote` of SQL writes it. */
function quoted(value: SqlValue): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  if (typeof value === 'object') return `X'${value.toString('hex').toUpperCase()}'`;
  return typeof value === 'bigint' || Number.isSafeInteger(value)
    ? String(value)
    : String(Number(value.toPrecision(12)));
}

/** A number that is not whole, without the digits in which programs differ. */
const asNumber = (text: string): string =>
  /^-?\d+\.\d|^-?\d.*e/i.test(text) ? String(Number(Number(text).toPrecision(12))) : text;

/** Rows as lines that can be compared with those of {@link storedRows}. */
export const linesOf = (rows: Iterable<SqlRow>): string[] =>
  [...rows].map((row) => JSON.stringify(Object.values(row).map((value) => shortened(quoted(value)))));

/** The rows of a table as SQLite reads them, in the order of their numbers. */
export function storedRows(path: string, table: string, columns: readonly string[]): string[] {
  // A name in quotes that is no column of the table would be read as a text.
  const values = columns.map((column) => `quote("${table}"."${column.replaceAll('"', '""')}")`).join(', ');
  const query = `SELECT json_array(${values}) FROM "${table}" NOT INDEXED ORDER BY rowid;`;
  const rows = withSqlite(path, (database) => valuesIn(database, query));
  return rows.map((row) =>
    JSON.stringify((JSON.parse(String(row)) as string[]).map((text) => shortened(asNumber(text)))),
  );
}
