import type { JsonObject } from '../../../base/json/value.ts';
import { changeOfHunks, changeOfTexts, type FileChange } from '../../kit/file-change.ts';
import { listIn, numberIn, objectsIn, textIn } from '../../kit/members.ts';

/** The file changes of a call, from the details of its result (claude-code.md §6). Empty if the call only read. */
export function changesIn(details: JsonObject): FileChange[] {
  const path = textIn(details, 'filePath');
  if (path === undefined) return [];
  const hunks = objectsIn(details, 'structuredPatch').map((hunk) => ({
    oldStart: numberIn(hunk, 'oldStart') ?? 0,
    newStart: numberIn(hunk, 'newStart') ?? 0,
    lines: listIn(hunk, 'lines').filter((line) => typeof line === 'string'),
  }));
  const isNew = details['type'] === 'create';
  if (hunks.length > 0) return [changeOfHunks(path, hunks, isNew ? 'write' : 'edit')];
  const { oldString, newString, content } = details;
  if (typeof oldString === 'string' && typeof newString === 'string')
    return [changeOfTexts(path, oldString, newString, 'edit')];
  if (typeof content !== 'string') return [];
  // Without hunks, a file that was there has the same content as before.
  return details['type'] === 'update'
    ? [changeOfTexts(path, content, content, 'edit')]
    : [changeOfTexts(path, '', content, 'write')];
}
