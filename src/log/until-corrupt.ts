import { statSync } from 'node:fs';
import { CorruptLines } from './corrupt-lines.ts';
import type { Corruption } from './corruption.ts';
import { explainDocuments } from './json-documents.ts';
import { type LogExtent, readLog, requireUnchanged } from './read.ts';
import type { LogRecord } from './record.ts';
import { type Row, RowSource } from './row.ts';
import type { RowLayout } from './row-layout.ts';

/** Who is handed the records of a log, or its rows, as long as no line is corrupt. */
export interface SoundVisitor {
  record?(record: LogRecord): void;
  row?(row: Row): void;
  /** The columns of the rows. */
  readonly layout?: RowLayout | undefined;
  /** Hears how far the reading has come. */
  onBytes?: ((bytes: number) => void) | undefined;
}

/** What a log was found to be. */
export interface SoundReading {
  readonly extent: LogExtent;
  /** The first corruption, which ended the reading: what was made of the records before it is not to be trusted. */
  readonly corruption: Corruption | undefined;
}

/**
 * Reads a log for what only the whole of it can tell: to its end, or to the first corrupt line, unless `corrupt` goes
 * past those. Throws `log-changed` where the file is not the one that was opened.
 */
export async function readUntilCorrupt(
  path: string,
  visitor: SoundVisitor,
  corrupt = new CorruptLines(),
): Promise<SoundReading> {
  const rows = visitor.row && RowSource.open(visitor.layout, statSync(path).size);
  try {
    const extent = await readLog(path, {
      record(record) {
        if (corrupt.ending === undefined) visitor.record?.(record);
      },
      row(row) {
        if (corrupt.ending === undefined) visitor.row?.(row);
      },
      corrupt: (found) => corrupt.add(explainDocuments(path, found)),
      between(bytes) {
        visitor.onBytes?.(bytes);
        return corrupt.ending === undefined;
      },
      rows,
    });
    requireUnchanged(path, extent);
    return { extent, corruption: corrupt.ending };
  } finally {
    rows?.close();
  }
}
