import { closeSync, openSync, writeSync } from 'node:fs';
import type { Cell, ExportColumn, Row } from './tables.ts';

/** A file that one table is written to. */
export interface TableFile {
  add(row: Row): void;
  /** Writes what has gathered, where it is enough; to be awaited now and then. */
  drain(): Promise<void>;
  /** Writes the rest. */
  close(): Promise<void>;
}

/** Texts are written when so many characters have gathered. */
const ENOUGH = 256 * 1024;

/** A table as text, one row a line. */
class TextFile implements TableFile {
  readonly #file: number;
  readonly #lineOf: (row: Row) => string;
  #text: string;

  constructor(path: string, header: string, lineOf: (row: Row) => string) {
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

  #flush(): void {
    const bytes = Buffer.from(this.#text);
    this.#text = '';
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
  }
}

/** A time in microseconds as ISO 8601 in UTC, with its microseconds. */
export function isoOfMicros(micros: bigint): string {
  const ms = Number(micros / 1000n);
  const rest = Number(micros % 1000n);
  // Before 1970 the remainder is negative.
  const at = rest < 0 ? new Date(ms - 1) : new Date(ms);
  const fraction = String(rest < 0 ? rest + 1000 : rest).padStart(3, '0');
  return `${at.toISOString().slice(0, -1)}${fraction}Z`;
}

const textOf = (cell: Uint8Array): string => Buffer.from(cell).toString();

/** A row as a JSON object without the members that have no value; the record as it is stored. */
export function jsonLine(columns: readonly ExportColumn[], row: Row): string {
  const members: string[] = [];
  for (const [at, { name, type }] of columns.entries()) {
    const cell = row[at];
    if (cell === undefined) continue;
    const json =
      cell instanceof Uint8Array
        ? textOf(cell)
        : JSON.stringify(
            typeof cell === 'bigint' ? (type === 'time' ? isoOfMicros(cell) : Number(cell)) : cell,
          );
    members.push(`${JSON.stringify(name)}:${json}`);
  }
  return `{${members.join(',')}}\n`;
}

/** A cell as RFC 4180 has it. */
function csvCell(cell: Cell): string {
  if (cell === undefined) return '';
  const text =
    cell instanceof Uint8Array ? textOf(cell) : typeof cell === 'bigint' ? isoOfMicros(cell) : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const csvLine = (row: Row): string => `${row.map(csvCell).join(',')}\n`;

export const csvHeader = (columns: readonly ExportColumn[]): string =>
  `${columns.map(({ name }) => name).join(',')}\n`;

export const ndjsonFile = (path: string, columns: readonly ExportColumn[]): TableFile =>
  new TextFile(path, '', (row) => jsonLine(columns, row));

export const csvFile = (path: string, columns: readonly ExportColumn[]): TableFile =>
  new TextFile(path, csvHeader(columns), csvLine);
