import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import type { SqlRow, SqlValue } from '../../../src/base/sqlite/database.ts';
import { isInstalled } from '../../support/tools.ts';

/** Whether the command `sqlite3` is installed, with which the reader is compared. */
export const hasSqlite3 = isInstalled('sqlite3');

/** Runs statements on a database. Throws what the command prints as an error. */
export function sqlite3(path: string, ...statements: readonly string[]): string {
  const { stdout, stderr, status } = spawnSync('sqlite3', ['-batch', '-bail', path], {
    input: `${statements.join('\n')}\n`,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
  if (status !== 0 || stderr !== '') throw new Error(stderr || `sqlite3 ended with ${status}`);
  return stdout;
}

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

/** The rows of a table as `sqlite3` reads them, in the order of their numbers. */
export function storedRows(path: string, table: string, columns: readonly string[]): string[] {
  // A name in quotes that is no column of the table would be read as a text.
  const values = columns.map((column) => `quote("${table}"."${column.replaceAll('"', '""')}")`).join(', ');
  const lines = sqlite3(path, `SELECT json_array(${values}) FROM "${table}" NOT INDEXED ORDER BY rowid;`);
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.stringify((JSON.parse(line) as string[]).map((text) => shortened(asNumber(text)))));
}
