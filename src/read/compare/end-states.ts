import { Numbering } from '../../base/text/numbering.ts';
import { linesOf } from '../../dialects/kit/file-change.ts';
import { netChanges } from '../describe/net-changes.ts';
import { align } from './align.ts';
import type { FileOfRun } from './file-texts.ts';
import { type ComparedLine, differingParts, mergedLines } from './line-difference.ts';

/** How two runs left a file. */
export interface FileDifference {
  readonly path: string;
  /** Where the file is in B, if that is another folder than in A. */
  readonly pathInB?: string;
  /**
   * `content`: the lines are those of the file. `changes`: they are those that the runs added (`+`) and removed (`-`) in the
   * end, because a log does not have the whole file, or because only one run changed a file that was there.
   */
  readonly of: 'content' | 'changes';
  /** The runs whose logs do not have the whole file that they changed. */
  readonly not_whole?: readonly ('a' | 'b')[];
  /** The lines that differ, each with a little context. */
  readonly lines: readonly ComparedLine[];
  /** The number of further lines. */
  readonly more: number;
}

/** Longer comparisons are cut. */
const MOST_LINES = 1000;

/** Removes from a line what differs between any two runs. */
interface Plain {
  readonly a: { text(line: string): string };
  readonly b: { text(line: string): string };
}

async function compareLines(
  a: readonly string[],
  b: readonly string[],
  plain: Plain,
): Promise<ComparedLine[]> {
  const numbers = new Numbering();
  const numbered = (lines: readonly string[], side: Plain['a']) =>
    numbers.sequence(lines.map((line) => side.text(line)));
  const matches = await align(numbered(a, plain.a), numbered(b, plain.b));
  return mergedLines(a, b, matches);
}

/** Compares how two runs left a file; undefined if they left it alike. A run that did not change the file has no side. */
export async function fileDifference(
  path: string,
  [a, b]: readonly [FileOfRun | undefined, FileOfRun | undefined],
  plain: Plain,
): Promise<FileDifference | undefined> {
  const notWhole = [
    ...(a === undefined || a.end !== undefined ? [] : (['a'] as const)),
    ...(b === undefined || b.end !== undefined ? [] : (['b'] as const)),
  ];
  // What the file contains in the other run is not known, unless the run made it.
  const one = a === undefined ? b : b === undefined ? a : undefined;
  const isContent = notWhole.length === 0 && (one === undefined || one.start === '');
  const [linesA, linesB] = isContent
    ? [linesOf(a?.end ?? ''), linesOf(b?.end ?? '')]
    : [netChanges(a?.changes ?? []), netChanges(b?.changes ?? [])];
  const all = await compareLines(linesA, linesB, plain);
  if (all.every((line) => line.in === 'both')) return undefined;
  const lines = differingParts(all).flat();
  return {
    path,
    of: isContent ? 'content' : 'changes',
    ...(notWhole.length > 0 && { not_whole: notWhole }),
    lines: lines.slice(0, MOST_LINES),
    more: Math.max(0, lines.length - MOST_LINES),
  };
}
