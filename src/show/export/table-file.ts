import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import type { RowGroup } from 'hyparquet';
import { openToRead } from '../../base/files/open-file.ts';
import { Yielder } from '../../base/time/yielder.ts';
import type { Cell, ExportColumn, Row } from './tables.ts';

/** A file that one table is written to. */
export interface TableFile {
  add(row: Row): void;
  /** Writes collected rows if there are enough. Await it now and then. */
  drain(): Promise<void>;
  /** Writes the remaining rows. */
  close(): Promise<void>;
  /** Appends rows that another thread wrote. */
  append(fragment: Fragment): Promise<void>;
}

/** Rows that one thread wrote, to be appended to a table file. Not readable alone. */
export interface Fragment {
  readonly path: string;
  /** Parquet only: the content of its footer. */
  readonly groups?: readonly RowGroup[];
}

export interface FragmentFile extends Pick<TableFile, 'add' | 'drain'> {
  /** Writes the remaining rows, but no header or footer. */
  end(): Promise<Fragment>;
}

/** Reads a file from an offset, a mebibyte at a time. Use each chunk before asking for the next. */
export async function* bytesOf(path: string, from = 0): AsyncGenerator<Buffer, void, void> {
  const file = openToRead(path);
  try {
    const block = Buffer.alloc(1024 * 1024);
    const yielder = new Yielder();
    for (let at = from, count = 0; ; at += count) {
      if (yielder.isDue) await yielder.yield();
      count = readSync(file, block, 0, block.length, at);
      if (count === 0) return;
      yield block.subarray(0, count);
    }
  } finally {
    closeSync(file);
  }
}

/** Texts are written once this many characters are collected. */
const ENOUGH = 256 * 1024;

/** A table as text, one row per line. */
class TextFile implements TableFile, FragmentFile {
  readonly #path: string;
  readonly #file: number;
  readonly #lineOf: (row: Row) => string;
  #text: string;

  constructor(path: string, header: string, lineOf: (row: Row) => string) {
    this.#path = path;
    this.#file = openSync(path, 'w');
    this.#text = header;
    this.#lineOf = lineOf;
  }

  add(row: Row): void {
    this.#text += this.#lineOf(row);
  }

  async drain(): Promise<void> {
    if (this.#text.length >= ENOUGH) this.#flush();
  }

  async close(): Promise<void> {
    this.#flush();
    closeSync(this.#file);
  }

  async end(): Promise<Fragment> {
    await this.close();
    return { path: this.#path };
  }

  async append({ path }: Fragment): Promise<void> {
    this.#flush();
    for await (const bytes of bytesOf(path)) this.#write(bytes);
  }

  #flush(): void {
    const text = this.#text;
    this.#text = '';
    this.#write(Buffer.from(text));
  }

  #write(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
  }
}

/** Microseconds as an ISO 8601 time in UTC with six decimals. */
export function isoOfMicros(micros: bigint): string {
  const ms = Number(micros / 1000n);
  const rest = Number(micros % 1000n);
  // Before 1970 the remainder is negative.
  const at = rest < 0 ? new Date(ms - 1) : new Date(ms);
  const fraction = String(rest < 0 ? rest + 1000 : rest).padStart(3, '0');
  return `${at.toISOString().slice(0, -1)}${fraction}Z`;
}

const textOf = (cell: Uint8Array): string => Buffer.from(cell).toString();

/** A row as a JSON object without empty members; the record is embedded as stored. */
export function jsonLine(columns: readonly ExportColumn[], row: Row): string {
  const members: string[] = [];
  for (const [at, { name }] of columns.entries()) {
    const cell = row[at];
    if (cell === undefined) continue;
    const json =
      cell instanceof Uint8Array
        ? textOf(cell)
        : JSON.stringify(typeof cell === 'bigint' ? isoOfMicros(cell) : cell);
    members.push(`${JSON.stringify(name)}:${json}`);
  }
  return `{${members.join(',')}}\n`;
}

/** Text that a spreadsheet would run as a formula. Numbers are excepted. */
const FORMULA = /^(?![+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$)[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** Text for a CSV file, with an apostrophe in front if a spreadsheet would run it. */
const csvText = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** A cell in the syntax of RFC 4180. */
function csvCell(cell: Cell): string {
  if (cell === undefined) return '';
  const text =
    cell instanceof Uint8Array
      ? csvText(textOf(cell))
      : typeof cell === 'string'
        ? csvText(cell)
        : typeof cell === 'bigint'
          ? isoOfMicros(cell)
          : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const csvLine = (row: Row): string => `${row.map(csvCell).join(',')}\n`;

const csvHeader = (columns: readonly ExportColumn[]): string =>
  `${columns.map(({ name }) => name).join(',')}\n`;

export const ndjsonFile = (path: string, columns: readonly ExportColumn[]): TextFile =>
  new TextFile(path, '', (row) => jsonLine(columns, row));

export const csvFile = (path: string, columns: readonly ExportColumn[]): TextFile =>
  new TextFile(path, csvHeader(columns), csvLine);

/** A CSV file without its header line. */
export const csvFragment = (path: string): TextFile => new TextFile(path, '', csvLine);
