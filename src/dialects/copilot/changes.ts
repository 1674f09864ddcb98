import type { JsonValue } from '../../json/value.ts';
import { textIn } from '../excerpt.ts';
import { changesOfArguments, changesOfPatch, type FileChange } from '../file-change.ts';

/** The file changes of a successful call, from its arguments (copilot.md §4). Empty if the call only read. */
export function changesIn(given: JsonValue | undefined): FileChange[] {
  if (typeof given === 'string') return changesOfPatch(given);
  const patch = textIn(given, 'patch') ?? textIn(given, 'input');
  return patch === undefined ? changesOfArguments(given) : changesOfPatch(patch);
}
