import { shellWord } from '../../text/shell-word.ts';

/** The store's own copy of all its streams (exarchos.md §10). */
const DATABASE_NAME = 'exarchos.db';

/** Rows of early versions have no whole event: its parts are put together (exarchos.md §10). */
const EXPORT =
  "SELECT coalesce(payload,json_object('streamId',streamId,'sequence',sequence,'timestamp',timestamp,'type',type,'schemaVersion','1.0','data',json(data))) FROM events WHERE streamId='STREAM' ORDER BY sequence";

/** Whether a file's name is that of a store's database. */
export const isStoreName = (fileName: string): boolean => fileName === DATABASE_NAME;

/**
 * How the log of a stream is got out of a store's database. Up to version 2.9 the log itself lies beside it, and may
 * hold more than the database: that one is to be read (exarchos.md §10, §17).
 */
export function exportHint(path: string): string {
  return `read the <stream>.events.jsonl beside it, which holds no less; where there is none (2.10 and later), for each STREAM: sqlite3 -readonly ${shellWord(path)} "${EXPORT}" > STREAM.events.jsonl`;
}
