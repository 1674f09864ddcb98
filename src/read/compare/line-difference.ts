import { linesOf } from '../../dialects/kit/file-change.ts';
import { alignAtOnce } from './align.ts';
import { LOOSE } from './content.ts';
import { stepsOf } from './match-events.ts';
import { Numbering } from './read-run.ts';

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
export function differingParts(lines: readonly ComparedLine[]): ComparedLine[][] {
  const near = new Set<number>();
  for (const [at, line] of lines.entries())
    if (line.in !== 'both') for (let by = -CONTEXT; by <= CONTEXT; by += 1) near.add(at + by);
  const parts: ComparedLine[][] = [];
  for (const [at, line] of lines.entries()) {
    if (!near.has(at)) continue;
    const part = near.has(at - 1) ? parts.at(-1) : undefined;
    if (part === undefined) parts.push([line]);
    else part.push(line);
  }
  return parts;
}

/** Compares two texts line by line. `plain`: removes from a line what does not count. */
export function comparedLines(
  a: readonly string[],
  b: readonly string[],
  plain = (line: string): string => line,
): ComparedLine[] {
  const numbers = new Numbering();
  const numbered = (lines: readonly string[]) => Int32Array.from(lines, (line) => numbers.of(plain(line)));
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
