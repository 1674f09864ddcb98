import { NoesisError } from '../../errors.ts';

/** The first sixteen bytes of every SQLite database. */
const HEADER = Buffer.from('SQLite format 3\0');

/** The eleven members in the order of an exported line, read by the offset that orders a ledger (fishbowl.md §4). */
const EXPORT = `SELECT json_object('id',id,'run_id',run_id,'turn',turn,'kind',kind,'actor',actor,'payload',json(payload),'created_at',created_at,'schema_version',schema_version,'session_id',session_id,'model_profile',model_profile,'model_id',model_id) FROM events ORDER BY "offset"`;

/** Whether bytes begin as a SQLite database does. */
export function isSqlite(bytes: Uint8Array): boolean {
  return HEADER.equals(bytes.subarray(0, HEADER.length));
}

/** The command that writes the ledger of a database as JSONL. */
export function exportCommand(path: string): string {
  const quoted = `'${path.replaceAll("'", "'\\''")}'`;
  return `sqlite3 -readonly ${quoted} "${EXPORT.replaceAll('"', '\\"')}" > ledger.jsonl`;
}

/** Refuses a database, told by its first bytes, with the way to export it: a ledger is read as JSONL. */
export function requireText(path: string, head: Uint8Array): void {
  if (!isSqlite(head)) return;
  throw new NoesisError('unreadable', `${path} is a SQLite database: export its events as JSONL first`, {
    place: { file: path },
    hint: exportCommand(path),
  });
}
