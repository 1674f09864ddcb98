import { FileError } from '../../base/errors.ts';
import { shellWord } from '../../base/text/shell-word.ts';
import { bytesBetween } from '../../log/bytes-between.ts';
import { FROM_A_FILE } from '../../log/other-forms.ts';
import type { Dialect } from '../dialect.ts';

/** The first sixteen bytes of every SQLite database. */
const HEADER = Buffer.from('SQLite format 3\0');

/** How much of a database is read: the first page, which describes the tables, has at most 64 KiB. */
const HEAD_BYTES = 128 * 1024;

/** Whether bytes begin as a SQLite database does. */
export function isSqlite(bytes: Uint8Array): boolean {
  return HEADER.equals(bytes.subarray(0, HEADER.length));
}

/** Whether the description of tables at the start of a database mentions a column. */
export function namesColumn(head: Uint8Array, column: string): boolean {
  return new RegExp(`CREATE TABLE[^\\0]*\\b${column}\\b`, 'i').test(Buffer.from(head).toString('latin1'));
}

/** For a database of which there is only a copy, so that no command can name it. */
const UNPACKED = 'unpack it, and give the unpacked file';

/**
 * Refuses a database, and says how to export its log as JSONL. If no dialect knows the database, gives
 * general advice. `label`: its path for the user, that of the packed file
 * if `path` is a copy, `-` for standard input.
 */
export function refuseDatabase(path: string, label: string, dialects: readonly Dialect[]): never {
  const name = label === '-' ? 'standard input' : label;
  throw new FileError('unreadable', `${name} is a SQLite database: export its events as JSONL first`, {
    place: { file: label },
    hint: label === '-' ? FROM_A_FILE : label === path ? hintFor(path, dialects) : UNPACKED,
  });
}

function hintFor(path: string, dialects: readonly Dialect[]): string {
  const tables = bytesBetween(path, 0, HEAD_BYTES);
  const hints = dialects.map((dialect) => dialect.databaseHint?.(path, tables));
  return (
    hints.find((hint) => hint !== undefined) ??
    `sqlite3 -readonly ${shellWord(path)} .schema shows what is in it`
  );
}
