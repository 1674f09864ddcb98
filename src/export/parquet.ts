import { gzipSync } from 'node:zlib';
import type { SchemaElement } from 'hyparquet';
import { fileWriter, ParquetWriter } from 'hyparquet-writer';
import type { TableFile } from './table-file.ts';
import type { Cell, ColumnType, ExportColumn, Row } from './tables.ts';

/** A group is written when it has so many rows, or so many bytes of text: that much is held. */
const GROUP_ROWS = 20_000;
const GROUP_BYTES = 32 * 1024 * 1024;

const UTF8 = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const;

const TYPES: Readonly<Record<ColumnType, Omit<SchemaElement, 'name'>>> = {
  text: UTF8,
  json: UTF8,
  integer: { type: 'INT64' },
  real: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  time: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MICROS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
  },
};

const schemaOf = (columns: readonly ExportColumn[]): SchemaElement[] => [
  { name: 'root', num_children: columns.length },
  ...columns.map(
    ({ name, type, required }): SchemaElement => ({
      name,
      ...TYPES[type],
      repetition_type: required ? 'REQUIRED' : 'OPTIONAL',
    }),
  ),
];

/** Level 1 is as fast as snappy in JavaScript, and smaller; every engine reads it. */
const gzip = (bytes: Uint8Array): Uint8Array => gzipSync(bytes, { level: 1 });

const stored = (type: ColumnType, cell: Cell): Cell =>
  type === 'integer' && typeof cell === 'number' ? BigInt(cell) : cell;

const weightOf = (cell: Cell): number =>
  typeof cell === 'string' || cell instanceof Uint8Array ? cell.length : 8;

/** A table in an Apache Parquet file, one group of rows held at a time. */
export class ParquetFile implements TableFile {
  readonly #writer: ParquetWriter;
  readonly #columns: readonly ExportColumn[];
  #rows: Row[] = [];
  #bytes = 0;

  constructor(path: string, columns: readonly ExportColumn[], createdBy: string) {
    this.#columns = columns;
    this.#writer = new ParquetWriter({
      writer: fileWriter(path),
      schema: schemaOf(columns),
      codec: 'GZIP',
      compressors: { GZIP: gzip },
      createdBy,
    });
  }

  add(row: Row): void {
    this.#rows.push(row);
    for (const cell of row) this.#bytes += weightOf(cell);
  }

  async drain(): Promise<void> {
    if (this.#rows.length >= GROUP_ROWS || this.#bytes >= GROUP_BYTES) await this.#flush();
  }

  async close(): Promise<void> {
    if (this.#rows.length > 0) await this.#flush();
    await this.#writer.finish();
  }

  async #flush(): Promise<void> {
    const rows = this.#rows;
    this.#rows = [];
    this.#bytes = 0;
    await this.#writer.write({
      columnData: this.#columns.map(({ name, type }, at) => ({
        name,
        data: rows.map((row) => stored(type, row[at])),
      })),
      rowGroupSize: rows.length,
    });
  }
}
