import type { JsonValue } from '../../json/value.ts';
import { textIn } from '../excerpt.ts';
import { changeOfTexts, changesOfPatch, type FileChange } from '../file-change.ts';

/** The file changes of a successful call, from its arguments (copilot.md §4); none if it only read. */
export function changesIn(given: JsonValue | undefined): FileChange[] {
  if (typeof given === 'string') return changesOfPatch(given);
  const patch = textIn(given, 'patch') ?? textIn(given, 'input');
  if (patch !== undefined) return changesOfPatch(patch);
  const path = textIn(given, 'path');
  if (path === undefined) return [];
  const created = textIn(given, 'file_text');
  if (created !== undefined) return [changeOfTexts(path, '', created, 'write')];
  const [before, after] = [textIn(given, 'old_str'), textIn(given, 'new_str')];
  return before === undefined && after === undefined
    ? []
    : [changeOfTexts(path, before ?? '', after ?? '', 'edit')];
}
