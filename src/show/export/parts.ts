import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cannotWrite, UsageError } from '../../base/errors.ts';
import { makeFolders } from '../../base/files/make-folders.ts';
import { csvFile, csvFragment, type FragmentFile, ndjsonFile, type TableFile } from './table-file.ts';
import { TABLE_NAMES, TABLES, type TableName } from './tables.ts';

export const TABLE_FORMATS = ['parquet', 'ndjson', 'csv'] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];

/** Which part of a whole export is written, counted from 1. */
export interface Part {
  readonly index: number;
  readonly count: number;
}

interface Destination {
  readonly dir: string;
  readonly format: TableFormat;
  readonly part: Part;
  /** Replace the same part of an earlier export. */
  readonly force: boolean;
  /** The name of the writing program in the files. */
  readonly createdBy: string;
}

export type Tables = Readonly<Record<TableName, TableFile>> & {
  /** The path for the next fragment of the events, which is removed at the end. */
  fragment(): string;
  /** Moves all files to their final places. */
  finish(): Promise<void>;
  abandon(): Promise<void>;
};

const partName = ({ index, count }: Part, format: TableFormat): string =>
  `part-${String(index).padStart(5, '0')}-of-${String(count).padStart(5, '0')}.${format}`;

const PART = /^part-\d{5,}-of-(\d{5,})\.(parquet|ndjson|csv)$/;

/** Removes paths. A path below something that is not a folder does not exist, and is not an error. */
function removeAll(paths: readonly string[]): void {
  for (const path of paths) if (existsSync(path)) rmSync(path);
}

/** Refuses a folder with parts that do not form one table with the new ones. */
function requireFitting({ dir, format, part, force }: Destination): void {
  const name = partName(part, format);
  for (const table of TABLE_NAMES) {
    for (const other of readdirSync(join(dir, table))) {
      const [, count, kind] = PART.exec(other) ?? [];
      if (count === undefined) continue;
      if (Number(count) !== part.count || kind !== format) {
        throw new UsageError('usage', `${join(dir, table, other)} belongs to another export`, {
          place: { file: dir },
          hint: 'give -o an empty folder: all parts in one are read as one table',
        });
      }
      if (other === name && !force) {
        throw new UsageError('usage', `${join(dir, table, other)} already exists`, {
          place: { file: dir },
          hint: 'add --force to replace this part, or give -o another folder',
        });
      }
    }
  }
}

/** The header line only exists in a CSV file, not in a fragment. */
async function openFile(
  path: string,
  table: TableName,
  { format, createdBy }: Pick<Destination, 'format' | 'createdBy'>,
  csv: typeof csvFile,
): Promise<TableFile & FragmentFile> {
  const columns = TABLES[table];
  if (format === 'ndjson') return ndjsonFile(path, columns);
  if (format === 'csv') return csv(path, columns);
  const { ParquetFile } = await import('./parquet.ts');
  return new ParquetFile(path, columns, createdBy);
}

export const openFragment = (
  path: string,
  settings: Pick<Destination, 'format' | 'createdBy'>,
): Promise<FragmentFile> => openFile(path, 'events', settings, csvFragment);

/**
 * Opens the three tables of a part as temporary files next to their final places, so nobody reads an incomplete file.
 * @throws UsageError if the folder contains parts of another export; FileError `unwritable`.
 */
export async function openTables(destination: Destination): Promise<Tables> {
  const { dir, format, part } = destination;
  const name = partName(part, format);
  const places = TABLE_NAMES.map((table) => ({
    table,
    path: join(dir, table, name),
    // Spark, Hive and similar tools ignore names with this prefix.
    temporary: join(dir, table, `_writing.${name}.${randomBytes(4).toString('hex')}`),
  }));
  const temporaries = places.map(({ temporary }) => temporary);
  try {
    for (const table of TABLE_NAMES) makeFolders(join(dir, table));
    requireFitting(destination);
    const files: [TableName, TableFile][] = [];
    for (const { table, temporary } of places)
      files.push([table, await openFile(temporary, table, destination, csvFile)]);
    const fragments: string[] = [];
    return {
      ...(Object.fromEntries(files) as Record<TableName, TableFile>),
      fragment() {
        const path = join(dir, 'events', `_writing.${randomBytes(8).toString('hex')}`);
        fragments.push(path);
        return path;
      },
      async finish() {
        removeAll(fragments);
        for (const [, file] of files) await file.close();
        for (const { path, temporary } of places) renameSync(temporary, path);
      },
      async abandon() {
        removeAll([...fragments, ...temporaries]);
      },
    };
  } catch (error) {
    removeAll(temporaries);
    if (error instanceof UsageError) throw error;
    throw cannotWrite(dir, error);
  }
}
