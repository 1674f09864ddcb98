import type { NoesisError } from '../../../base/errors.ts';
import { invalidDocument, readStateFile, type StoredState } from '../../../base/files/state-file.ts';
import { locate } from '../../../base/json/locate.ts';
import { placeInText } from '../../../base/json/place.ts';
import { isObject } from '../../../base/json/value.ts';
import { type SchemaIssue, schemaIssues } from '../../../findings/schema-issues.ts';
import { type NoesisState, stateSchema } from './schema.ts';

function requireStateSchema(state: StoredState): NoesisState {
  const [issue] = schemaIssues(stateSchema, state.value);
  if (issue) throw invalidAt(state, issue);
  return stateSchema.parse(state.value);
}

function invalidAt({ path, bytes }: StoredState, issue: SchemaIssue): NoesisError {
  return invalidDocument(path, bytes, locate(bytes, 0, bytes.length, issue.path).start, issue.message);
}

/** A state must have at least one of these members. */
const PARTS = ['episode', 'goal', 'plan', 'outcomes'] as const;

/** The faults of a state, each with its line. Throws `state-invalid` for a document that is not a state at all. */
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

/**
 * Reads a state.json. `isFound`: the user named its episode. Throws `state-missing`, `unreadable`, or `state-invalid` if it
 * does not fit its schema.
 */
export async function readNoesisState(path: string, isFound: boolean): Promise<NoesisState> {
  return requireStateSchema(await readStateFile(path, isFound));
}
