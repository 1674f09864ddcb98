import { shellWord } from '../../text/shell-word.ts';

/** The eleven members in the order of an exported line, read by the offset that orders a ledger (fishbowl.md §4). */
const EXPORT = `SELECT json_object('id',id,'run_id',run_id,'turn',turn,'kind',kind,'actor',actor,'payload',json(payload),'created_at',created_at,'schema_version',schema_version,'session_id',session_id,'model_profile',model_profile,'model_id',model_id) FROM events ORDER BY "offset"`;

/** The command that writes the ledger of a database as JSONL. */
export function exportCommand(path: string): string {
  return `sqlite3 -readonly ${shellWord(path)} "${EXPORT.replaceAll('"', '\\"')}" > ledger.jsonl`;
}
