import type { JsonObject } from '../../../../base/json/value.ts';
import { listIn, numberIn, objectsIn } from '../../../kit/members.ts';
import { isSameLeft, type LinesLeft, linesLeft, linesWith } from '../../kit/lines-left.ts';

/**
 * The form in which texts of an edit are compared: the program may change quotes and the space at the end of lines to those of the
 * file, and shows tabs as spaces.
 */
export const withoutStyle = (text: string): string =>
  text.replaceAll(/\s+/g, '').replaceAll(/[‘’]/g, "'").replaceAll(/[“”]/g, '"');

const linesOfHunk = (hunk: JsonObject): string[] =>
  listIn(hunk, 'lines').filter((line) => typeof line === 'string');

/** Whether a hunk has as many lines as it says. */
function hasItsLines(hunk: JsonObject): boolean {
  const lines = linesOfHunk(hunk);
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
  const [old, now] = [numberIn(hunk, 'oldLines'), numberIn(hunk, 'newLines')];
  return (
    (old ?? count(' ') + count('-')) === count(' ') + count('-') &&
    (now ?? count(' ') + count('+')) === count(' ') + count('+')
  );
}

/** The whole file before and after an edit; undefined if the program did not keep it. */
function wholeFile({
  originalFile: before,
  content,
  oldString: old,
  newString: now,
  replaceAll,
}: JsonObject): readonly [before: string, after: string] | undefined {
  if (typeof before !== 'string') return undefined;
  if (typeof content === 'string') return [before, content];
  if (typeof old !== 'string' || typeof now !== 'string' || old === '' || !before.includes(old))
    return undefined;
  return [before, replaceAll === true ? before.replaceAll(old, () => now) : before.replace(old, () => now)];
}

const between = (before: string, after: string): LinesLeft =>
  linesLeft(after.split('\n'), before.split('\n'), withoutStyle);

/** Whether the lines of a diff are those between two texts in a file. Their first and last lines may be parts of longer ones. */
function isBetween(left: LinesLeft, old: string, now: string): boolean {
  const edges = [old, now].flatMap((text) => {
    const lines = text.split('\n').map(withoutStyle);
    return [lines.at(0) ?? '', lines.at(-1) ?? ''];
  });
  if (edges.includes('')) return true;
  const inside = (lines: LinesLeft) =>
    new Map([...lines].filter(([line]) => !edges.some((edge) => line.includes(edge))));
  return isSameLeft(inside(left), inside(between(old, now)));
}

/** What the diff that the program kept of an edit says otherwise than the texts of the edit; undefined if nothing. */
export function differenceOfDiff(kept: JsonObject): string | undefined {
  const hunks = objectsIn(kept, 'structuredPatch');
  if (hunks.length === 0) return undefined;
  if (!hunks.every(hasItsLines)) return 'a part of the diff has another number of lines than it says';
  const lines = hunks.flatMap(linesOfHunk);
  const left = linesLeft(linesWith('+', lines), linesWith('-', lines), withoutStyle);
  const whole = wholeFile(kept);
  const { originalFile, oldString: old, newString: now, replaceAll } = kept;
  const isKnown = typeof originalFile === 'string' || replaceAll === true;
  const isSame =
    whole !== undefined
      ? isSameLeft(left, between(...whole))
      : isKnown || typeof old !== 'string' || typeof now !== 'string' || isBetween(left, old, now);
  return isSame ? undefined : 'the lines of the diff are not those that the edit changed';
}
