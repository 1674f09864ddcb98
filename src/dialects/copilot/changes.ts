import type { JsonValue } from '../../json/value.ts';
import { textIn } from '../excerpt.ts';
import { changeOfTexts, changesOfPatch, type FileChange } from '../file-change.ts';

/** What a call that worked did to files, by its arguments (copilot.md §4); nothing if it only read. */
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
