import { alignAtOnce, stepsOf } from '../../base/text/matching.ts';
import { Numbering } from '../../base/text/numbering.ts';
import { partsAround } from '../../base/text/parts-around.ts';
import { linesOf } from '../../dialects/kit/file-change.ts';
import { LOOSE } from './content.ts';

/** A line of a comparison of two texts. */
export interface ComparedLine {
  readonly in: 'both' | 'a' | 'b';
  readonly text: string;
}

/** The lines of context on each side. */
const CONTEXT = 2;

/** The lines of two texts, from how they match. */
export const mergedLines = (
  a: readonly string[],
  b: readonly string[],
  matches: Int32Array,
): ComparedLine[] =>
  Array.from(stepsOf(matches, b.length), (step): ComparedLine => {
    if (step.kind === 'pair') return { in: 'both', text: a[step.a] ?? '' };
    return step.kind === 'missing' ? { in: 'a', text: a[step.a] ?? '' } : { in: 'b', text: b[step.b] ?? '' };
  });

/** The parts of a comparison around what differs: equal lines that are not next to a different one are left out. */
export const differingParts = (lines: readonly ComparedLine[]): ComparedLine[][] =>
  partsAround(lines, (line) => line.in !== 'both', CONTEXT);

/** Compares two texts line by line. `plain`: removes from a line what does not count. */
function comparedLines(
  a: readonly string[],
  b: readonly string[],
  plain: (line: string) => string = (line) => line,
): ComparedLine[] {
  const numbers = new Numbering();
  const numbered = (lines: readonly string[]) => numbers.sequence(lines.map(plain));
  return mergedLines(a, b, alignAtOnce(numbered(a), numbered(b)));
}

/**
 * The parts of two texts in which they differ, with a little context. Lines that differ only in ids, times and digests count
 * only if nothing else differs, or if `exact`. None if the lines are equal.
 */
export function lineDifference(a: string, b: string, exact: boolean): ComparedLine[][] {
  const [ofA, ofB] = [linesOf(a), linesOf(b)];
  const loosely = exact ? [] : differingParts(comparedLines(ofA, ofB, (line) => LOOSE.text(line)));
  return loosely.length > 0 ? loosely : differingParts(comparedLines(ofA, ofB));
}
