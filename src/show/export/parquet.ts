import { gzipSync } from 'node:zlib';
import type { RowGroup, SchemaElement } from 'hyparquet';
import { fileWriter, ParquetWriter } from 'hyparquet-writer';
import { bytesOf, type Fragment, type FragmentFile, type TableFile } from './table-file.ts';
import type { Cell, ColumnType, ExportColumn, Row } from './tables.ts';

/** A group is written when it reaches this number of rows, or the limit of text bytes. This bounds memory. */
const GROUP_ROWS = 20_000;
const GROUP_BYTES = 8 * 1024 * 1024;

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

/** Level 1 is as fast as snappy in JavaScript and compresses better; every engine reads it. */
const gzip = (bytes: Uint8Array): Uint8Array => gzipSync(bytes, { level: 1 });

const stored = (type: ColumnType, cell: Cell): Cell =>
  type === 'integer' && typeof cell === 'number' ? BigInt(cell) : cell;

const weightOf = (cell: Cell): number =>
  typeof cell === 'string' || cell instanceof Uint8Array ? cell.length : 8;

/** The length of the magic number at the start of files and fragments. */
const MAGIC = 'PAR1'.length;

/** The metadata of a row group, moved by a number of bytes. */
const shifted = (group: RowGroup, by: bigint): RowGroup => ({
  ...group,
  columns: group.columns.map(({ meta_data: meta, ...chunk }) => ({
    ...chunk,
    file_offset: chunk.file_offset + by,
    ...(meta && {
      meta_data: {
        ...meta,
        data_page_offset: meta.data_page_offset + by,
        ...(meta.dictionary_page_offset !== undefined && {
          dictionary_page_offset: meta.dictionary_page_offset + by,
        }),
      },
    }),
  })),
});

/** Writes a table as an Apache Parquet file. At most one row group is in memory. */
export class ParquetFile implements TableFile, FragmentFile {
  readonly #path: string;
  readonly #writer: ParquetWriter;
  readonly #columns: readonly ExportColumn[];
  #rows: Row[] = [];
  #bytes = 0;

  constructor(path: string, columns: readonly ExportColumn[], createdBy: string) {
    this.#path = path;
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
    await this.#flush();
    await this.#writer.finish();
  }

  async end(): Promise<Fragment> {
    await this.#flush();
    await this.#writer.writer.finish();
    return { path: this.#path, groups: this.#writer.row_groups };
  }

  async append({ path, groups = [] }: Fragment): Promise<void> {
    await this.#flush();
    const { writer, row_groups: all } = this.#writer;
    const by = BigInt(writer.offset - MAGIC);
    for await (const bytes of bytesOf(path, MAGIC)) writer.appendBytes(bytes);
    for (const group of groups) {
      all.push(shifted(group, by));
      this.#writer.num_rows += group.num_rows;
    }
  }

  async #flush(): Promise<void> {
    const rows = this.#rows;
    if (rows.length === 0) return;
    this.#rows = [];
    this.#bytes = 0;
    await this.#writer.write({
      columnData: this.#columns.map(({ name, type }, at) => ({
        name,
        data: rows.map((row) => stored(type, row[at])),
        // A page index only helps when few columns of many pages are read.
        offsetIndex: false,
      })),
      rowGroupSize: rows.length,
    });
  }
}
