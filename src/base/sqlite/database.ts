import { statSync } from 'node:fs';
import { keysWith, rowsOf, rowWith } from './btree.ts';
import { shapeOfIndex, shapeOfTable, type TableShape } from './create-table.ts';
import { faultsOf } from './fault.ts';
import { Pages } from './pages.ts';
import { type SqlValue, valuesOf } from './record.ts';
import type { WriteAheadLog } from './wal.ts';

export type { SqlValue };

/** A row by the names of its columns. */
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** A table or an index, as the first table of a database describes it. */
interface Entry {
  readonly root: number;
  readonly sql: string;
}

const ENTRY_COLUMNS = ['type', 'name', 'tbl_name', 'rootpage', 'sql'];

/** A SQLite database, open for reading. It shows the rows that were committed when it was opened. */
export class Database {
  readonly #pages: Pages;
  readonly #tables = new Map<string, Entry>();
  readonly #indexes = new Map<string, Entry>();
  readonly #shapes = new Map<string, TableShape>();

  /** `hint`: for errors, how another program exports what is in it. */
  constructor(path: string, hint?: string) {
    const pages = new Pages(path, hint);
    this.#pages = pages;
    try {
      for (const { payload, page } of rowsOf(pages, 1)) {
        const [type, name, , root, sql] = valuesOf(payload, page, pages.fault, ENTRY_COLUMNS.length);
        if (typeof name !== 'string' || typeof root !== 'number') continue;
        const entry = { root, sql: typeof sql === 'string' ? sql : '' };
        if (type === 'table') this.#tables.set(name, entry);
        else if (type === 'index') this.#indexes.set(name, entry);
      }
    } catch (error) {
      pages.close();
      throw error;
    }
  }

  /** The names of the tables. */
  get tables(): readonly string[] {
    return [...this.#tables.keys()];
  }

  /** The columns of each table; empty for a table whose rows cannot be read. */
  get shapes(): ReadonlyMap<string, readonly string[]> {
    return new Map(
      [...this.#tables].map(([name, { sql }]) => {
        const shape = shapeOfTable(sql);
        return [name, typeof shape === 'string' ? [] : shape.columns];
      }),
    );
  }

  /** The write-ahead log, if there is one. */
  get wal(): WriteAheadLog | undefined {
    return this.#pages.wal;
  }

  /** The columns of a table; empty for a table that does not exist. */
  columns(table: string): readonly string[] {
    return this.#tables.has(table) ? this.#shapeOf(table).columns : [];
  }

  /** Yields the rows of a table in the order of their numbers; none for a table that does not exist. */
  *rows(table: string): Generator<SqlRow> {
    const entry = this.#tables.get(table);
    if (entry === undefined) return;
    const shape = this.#shapeOf(table);
    for (const { rowid, payload, page } of rowsOf(this.#pages, entry.root))
      yield this.#row(shape, rowid, payload, page);
  }

  /** The number of rows of a table, without reading their values. */
  count(table: string): number {
    const entry = this.#tables.get(table);
    if (entry === undefined) return 0;
    this.#shapeOf(table);
    let count = 0;
    for (const _ of rowsOf(this.#pages, entry.root)) count += 1;
    return count;
  }

  /** Yields the rows whose column is this text, by an index if there is one. */
  *rowsWith(table: string, column: string, text: string): Generator<SqlRow> {
    const entry = this.#tables.get(table);
    if (entry === undefined) return;
    const index = this.#indexOf(table, column);
    if (index === undefined) {
      for (const row of this.rows(table)) if (row[column] === text) yield row;
      return;
    }
    const { fault } = this.#pages;
    const shape = this.#shapeOf(table);
    for (const key of keysWith(this.#pages, index.root, text)) {
      const rowid = key.at(-1);
      const found =
        typeof rowid === 'number' || typeof rowid === 'bigint'
          ? rowWith(this.#pages, entry.root, BigInt(rowid))
          : undefined;
      if (found === undefined)
        throw fault(`an index of ${table} names a row that does not exist`, index.root);
      const row = this.#row(shape, found.rowid, found.payload, found.page);
      if (row[column] !== text) throw fault(`an index of ${table} names another row`, index.root);
      yield row;
    }
  }

  /** Whether nothing that was read has changed since the database was opened. */
  isCurrent(): boolean {
    return this.#pages.isCurrent();
  }

  close(): void {
    this.#pages.close();
  }

  #shapeOf(table: string): TableShape {
    const known = this.#shapes.get(table);
    if (known !== undefined) return known;
    const shape = shapeOfTable(this.#tables.get(table)?.sql ?? '');
    if (typeof shape === 'string') throw this.#pages.fault(`noesis cannot read its table ${table}: ${shape}`);
    this.#shapes.set(table, shape);
    return shape;
  }

  #row({ columns, rowid: key, defaults }: TableShape, rowid: bigint, payload: Buffer, page: number): SqlRow {
    const values = valuesOf(payload, page, this.#pages.fault);
    if (values.length > columns.length)
      throw this.#pages.fault('a row has more values than its table has columns', page);
    const row: Record<string, SqlValue> = {};
    for (const [index, column] of columns.entries()) {
      const value = index < values.length ? values[index] : defaults[column];
      row[column] = value ?? null;
    }
    if (key !== undefined) row[key] = Number.isSafeInteger(Number(rowid)) ? Number(rowid) : rowid;
    return row;
  }

  /** An index whose keys begin with a column. */
  #indexOf(table: string, column: string): Entry | undefined {
    for (const entry of this.#indexes.values()) {
      const shape = shapeOfIndex(entry.sql);
      if (shape?.table === table && shape.column === column) return entry;
    }
    return undefined;
  }
}

/** How often a database is read again because its program wrote to it. */
const MOST_TRIES = 12;
/** In milliseconds: a program that wrote a file this recently may still be writing. */
const RECENT = 2000;

/** Waits without letting other work run, because a database is read in one go. */
const pause = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** Whether a database or its journals were written a moment ago. */
const isBeingWritten = (path: string): boolean =>
  ['', '-wal', '-journal'].some((end) => {
    const status = statSync(path + end, { throwIfNoEntry: false });
    return status !== undefined && Math.abs(Date.now() - status.mtimeMs) < RECENT;
  });

/**
 * Opens a database, reads it and closes it. Reads again if a program wrote to pages meanwhile, so the result is
 * of one moment. Throws `unreadable` with `hint`.
 */
export function readDatabase<T>(path: string, hint: string | undefined, read: (database: Database) => T): T {
  const busy = faultsOf(path, 'try again in a moment')('its program kept writing to it');
  let problem: unknown = busy;
  let hasOpened = false;
  for (let tries = 1; tries < MOST_TRIES; tries += 1) {
    let database: Database | undefined;
    try {
      database = new Database(path, hint);
      hasOpened = true;
      const result = read(database);
      if (database.isCurrent()) return result;
    } catch (error) {
      // Half-written pages are damaged only for a moment.
      if (database === undefined ? !isBeingWritten(path) : database.isCurrent()) throw error;
      problem = hasOpened ? busy : error;
    } finally {
      database?.close();
    }
    pause(10 * tries);
  }
  throw problem;
}
