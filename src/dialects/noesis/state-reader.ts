import { invalidDocument, readStateFile, type StoredState } from '../../files/state-file.ts';
import { schemaIssues } from '../../findings/schema-issues.ts';
import { locate } from '../../json/locate.ts';
import { type NoesisState, stateSchema } from './schema/state.ts';

/** Throws `state-invalid`, at the place of the first mismatch, when a stored state does not fit its schema. */
export function requireStateSchema({ path, bytes, value }: StoredState): NoesisState {
  const [issue] = schemaIssues(stateSchema, value);
  if (issue)
    throw invalidDocument(path, bytes, locate(bytes, 0, bytes.length, issue.path).start, issue.message);
  return stateSchema.parse(value);
}

/** Reads a state.json and checks it against its schema. Throws `state-missing`, `unreadable` and `state-invalid`. */
export async function readNoesisState(path: string): Promise<NoesisState> {
  return requireStateSchema(await readStateFile(path));
}
