import type { NoesisError } from '../../errors.ts';
import { invalidDocument, readStateFile, type StoredState } from '../../files/state-file.ts';
import { type SchemaIssue, schemaIssues } from '../../findings/schema-issues.ts';
import { locate } from '../../json/locate.ts';
import { placeInText } from '../../json/place.ts';
import { isObject } from '../../json/value.ts';
import { type NoesisState, stateSchema } from './schema/state.ts';

/** Throws `state-invalid`, at the place of the first mismatch, when a stored state does not fit its schema. */
function requireStateSchema(state: StoredState): NoesisState {
  const [issue] = schemaIssues(stateSchema, state.value);
  if (issue) throw invalidAt(state, issue);
  return stateSchema.parse(state.value);
}

function invalidAt({ path, bytes }: StoredState, issue: SchemaIssue): NoesisError {
  return invalidDocument(path, bytes, locate(bytes, 0, bytes.length, issue.path).start, issue.message);
}

/** The parts of a state of which one at least must be there, so that a document is one. */
const PARTS = ['episode', 'goal', 'plan', 'outcomes'] as const;

/**
 * What does not fit the schema of a state: each with its line. Throws `state-invalid` for a document that has no part of
 * a state.
 */
export function stateIssues(state: StoredState): string[] {
  const { value, bytes } = state;
  const issues = schemaIssues(stateSchema, value);
  const [first] = issues;
  if (first && !PARTS.some((part) => isObject(value[part]))) throw invalidAt(state, first);
  return issues.map(({ path, message }) => {
    const { line } = placeInText(bytes, locate(bytes, 0, bytes.length, path).start);
    return `line ${line}: ${message}`;
  });
}

/** Reads a state.json and checks it against its schema. Throws `state-missing`, `unreadable` and `state-invalid`. */
export async function readNoesisState(path: string): Promise<NoesisState> {
  return requireStateSchema(await readStateFile(path));
}
