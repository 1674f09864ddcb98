import type { JsonObject } from '../../../base/json/value.ts';
import {
  changeOfHunks,
  changeOfTexts,
  type FileChange,
  type FileTexts,
  type StoredHunk,
  textAfterHunks,
} from '../../kit/file-change.ts';
import { listIn, numberIn, objectIn, objectsIn, textIn } from '../../kit/members.ts';

const hunksIn = (details: JsonObject): StoredHunk[] =>
  objectsIn(details, 'structuredPatch').map((hunk) => ({
    oldStart: numberIn(hunk, 'oldStart') ?? 0,
    newStart: numberIn(hunk, 'newStart') ?? 0,
    lines: listIn(hunk, 'lines').filter((line) => typeof line === 'string'),
  }));

/** The file changes of a call, from the details of its result (claude-code.md §6). Empty if the call only read. */
export function changesIn(details: JsonObject): FileChange[] {
  const path = textIn(details, 'filePath');
  if (path === undefined) return [];
  const hunks = hunksIn(details);
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

/** The whole file that a call read or changed, from the details of its result (claude-code.md §6). */
export function filesIn(details: JsonObject): FileTexts[] {
  const { startLine, numLines, totalLines, content: text, filePath } = objectIn(details, 'file');
  if (typeof text === 'string' && typeof filePath === 'string' && startLine === 1 && numLines === totalLines)
    return [{ path: filePath, before: text, after: text }];
  const { originalFile: before, content } = details;
  const path = textIn(details, 'filePath');
  if (path === undefined) return [];
  if (typeof content === 'string')
    return [{ path, ...(typeof before === 'string' && { before }), after: content }];
  return typeof before === 'string'
    ? [{ path, before, after: textAfterHunks(before, hunksIn(details)) }]
    : [];
}
