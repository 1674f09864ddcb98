import type { JsonObject } from '../../../base/json/value.ts';
import { changeOfTexts, changesOfMove, changesOfPatch, type FileChange } from '../../kit/file-change.ts';
import { asObject, objectIn, stringIn, textIn } from '../../kit/members.ts';
import { isSameLeft, type LinesLeft, linesLeft, linesWith } from '../kit/lines-left.ts';

/** The files that a patch changed, as the program recorded it when it had applied the patch (codex.md §4). */
export const changesDone = (end: JsonObject): FileChange[] =>
  Object.entries(objectIn(end, 'changes')).flatMap(([path, change]) =>
    changesOfMove(changeDone(path, asObject(change)), textIn(change, 'move_path')),
  );

function changeDone(path: string, change: JsonObject): FileChange {
  const content = stringIn(change, 'content') ?? '';
  switch (textIn(change, 'type')) {
    case 'add':
      return changeOfTexts(path, '', content, 'write');
    case 'delete':
      return changeOfTexts(path, content, '', 'delete');
    default: {
      // A patch without its header has the same lines.
      const diff = (stringIn(change, 'unified_diff') ?? '').replace(/\n$/, '');
      const [done] = changesOfPatch(`*** Update File: ${path}\n${diff}`);
      return { path, kind: 'edit', added: 0, removed: 0, ...done, diff };
    }
  }
}

/** The files that a patch changes, as its headers name them: of a file that it moves, both paths. */
export const filesOfPatch = (patch: string): string[] =>
  Array.from(patch.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm), ([, path = '']) =>
    path.trim(),
  );

const HEADER = /^[^\S\n]*\*\*\* (?:(?:Add|Update|Delete) File|Move to): /gm;

/** Whether a recorded path, which is whole, is that of a call. */
const isPathOf = (done: string, asked: string): boolean =>
  `/${done.replaceAll('\\', '/')}`.endsWith(`/${asked.replaceAll('\\', '/')}`);

/** The lines that a change leaves, without white space, in which the program lets a patch differ. */
function linesLeftBy({ diff }: FileChange): LinesLeft {
  const lines = diff.split('\n');
  return linesLeft(linesWith('+', lines), linesWith('-', lines), (line) => line.replaceAll(/\s+/g, ''));
}

/** How the changes that were made differ from those of the patch that the model asked for; undefined if they do not. */
export function differenceOfPatch(patch: string, done: readonly FileChange[]): string | undefined {
  const asked = changesOfPatch(patch);
  const isPlain = asked.length === (patch.match(HEADER) ?? []).length;
  if (!isPlain || asked.some(({ path }) => /(?:^|[/\\])\.{1,2}[/\\]/.test(path))) return undefined;
  const extra = done.find(({ path }) => !asked.some((one) => isPathOf(path, one.path)));
  const missing = asked.find(({ path }) => !done.some((one) => isPathOf(one.path, path)));
  if (extra ?? missing) return 'the files that were changed are not those of the call';
  for (const one of done) {
    // The lines of a deleted file are not in a patch, and a file with two changes may be changed twice.
    const [own, ...more] = asked.filter(({ path }) => isPathOf(one.path, path));
    if (own === undefined || more.length > 0 || one.kind === 'delete' || own.kind !== one.kind) continue;
    if (!isSameLeft(linesLeftBy(own), linesLeftBy(one)))
      return 'the lines that were changed are not those of the call';
  }
  return undefined;
}
