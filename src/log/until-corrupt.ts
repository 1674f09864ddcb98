import { CorruptLines } from './corrupt-lines.ts';
import type { Corruption } from './corruption.ts';
import { explainDocuments } from './json-documents.ts';
import type { LogForm } from './log-form.ts';
import { type LogExtent, readLog, requireUnchanged } from './read.ts';
import type { LogRecord } from './record.ts';
import { type Row, RowSource } from './row.ts';

/** Receives the records or rows of a log up to the first corrupt line. */
export interface SoundVisitor {
  record?(record: LogRecord): void;
  row?(row: Row): void;
  /** A corrupt line that is skipped, in order with the records around it. */
  lost?(line: number): void;
  /** Receives the progress of reading. */
  onBytes?: ((bytes: number) => void) | undefined;
  /** Whether the rest of the log does not matter. Asked between pieces of the log. */
  isDone?(): boolean;
}

export interface SoundReading {
  readonly extent: LogExtent;
  /** The first corruption, which ended the reading. Results from the records before it must not be used. */
  readonly corruption: Corruption | undefined;
}

/**
 * Reads a log to its end, or to the first corrupt line unless `corrupt` skips those, for results that need
 * the whole log. Throws `log-changed` if the file changed meanwhile.
 */
export async function readUntilCorrupt(
  path: string,
  form: LogForm,
  visitor: SoundVisitor,
  corrupt = new CorruptLines(),
): Promise<SoundReading> {
  corrupt.onLine = (line) => visitor.lost?.(line);
  const rows = visitor.row && RowSource.open(form);
  try {
    const extent = await readLog(path, rows ?? form, {
      record(record) {
        if (corrupt.ending === undefined) visitor.record?.(record);
      },
      row(row) {
        if (corrupt.ending === undefined) visitor.row?.(row);
      },
      wants: (_, line) => corrupt.wants(line),
      corrupt: (found) => corrupt.add(explainDocuments(path, found)),
      between(bytes) {
        visitor.onBytes?.(bytes);
        return corrupt.ending === undefined && visitor.isDone?.() !== true;
      },
    });
    requireUnchanged(path, extent);
    return { extent, corruption: corrupt.ending };
  } finally {
    rows?.close();
  }
}
