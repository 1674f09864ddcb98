import type { ChangedFile } from '../describe/changes-of-story.ts';
import { align } from './align.ts';
import { type ComparedLine, differingParts, linesOf, mergedLines } from './line-difference.ts';
import { Numbering } from './read-run.ts';

/** How two runs left a file. */
export interface FileDifference {
  readonly path: string;
  /** Where the file is in B, if that is another folder than in A. */
  readonly pathInB?: string;
  /**
   * `content`: the log has the whole file, so the lines are those of the file. `changes`: the log has only the changes,
   * so the lines are those that the runs added (`+`) and removed (`-`).
   */
  readonly of: 'content' | 'changes';
  /** The runs whose logs do not have the whole file, of `changes`. */
  readonly not_whole?: readonly ('a' | 'b')[];
  /** The lines that differ, each with a little context. */
  readonly lines: readonly ComparedLine[];
  /** The number of further lines. */
  readonly more: number;
}

/** Longer comparisons are cut. */
const MOST_LINES = 1000;

/** A part of a diff: the lines before and after it. */
function hunksOf(diff: string): { readonly before: string[]; readonly after: string[] }[] {
  const hunks: { before: string[]; after: string[] }[] = [];
  for (const line of diff.split('\n')) {
    if (line.startsWith('@@') || hunks.length === 0) hunks.push({ before: [], after: [] });
    const hunk = hunks.at(-1);
    if (line.startsWith('@@') || hunk === undefined) continue;
    if (!line.startsWith('+')) hunk.before.push(line.slice(1));
    if (!line.startsWith('-')) hunk.after.push(line.slice(1));
  }
  return hunks.filter(({ before, after }) => before.length + after.length > 0);
}

/** The only place at which lines occur in others; -1 if there is none or another one. */
function placeOf(part: readonly string[], lines: readonly string[]): number {
  const isAt = (at: number) => part.every((line, offset) => lines[at + offset] === line);
  const places = [...lines.keys()].filter((at) => at + part.length <= lines.length && isAt(at));
  return places.length === 1 ? (places[0] ?? -1) : -1;
}

/** The lines of a file after its changes; undefined unless the log has the whole file. */
function contentOf({ changes }: ChangedFile): readonly string[] | undefined {
  let lines: string[] | undefined;
  for (const { kind, diff } of changes) {
    const hunks = hunksOf(diff);
    if (kind === 'delete') lines = [];
    else if (kind === 'write' && hunks.every(({ before }) => before.length === 0))
      lines = hunks.flatMap(({ after }) => after);
    else if (lines !== undefined) {
      for (const { before, after } of hunks) {
        const at: number = before.length === 0 ? -1 : placeOf(before, lines);
        if (at === -1) return undefined;
        lines = [...lines.slice(0, at), ...after, ...lines.slice(at + before.length)];
      }
    }
  }
  return lines;
}

/** The lines that a run added to a file and removed from it, in order. */
const changesOf = ({ changes }: ChangedFile): string[] =>
  changes.flatMap(({ diff }) => linesOf(diff).filter((line) => /^[-+]/.test(line)));

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
    Int32Array.from(lines, (line) => numbers.of(side.text(line)));
  const matches = await align(numbered(a, plain.a), numbered(b, plain.b));
  return mergedLines(a, b, matches);
}

/** Compares how two runs left a file; undefined if they left it alike. A run that did not change the file has no side. */
export async function fileDifference(
  path: string,
  [a, b]: readonly [ChangedFile | undefined, ChangedFile | undefined],
  plain: Plain,
): Promise<FileDifference | undefined> {
  const [contentA, contentB] = [a && contentOf(a), b && contentOf(b)];
  // A run that did not change the file has no lines: the other one's are shown.
  const notWhole = [
    ...(a === undefined || contentA !== undefined ? [] : (['a'] as const)),
    ...(b === undefined || contentB !== undefined ? [] : (['b'] as const)),
  ];
  const isWhole = notWhole.length === 0;
  const all = isWhole
    ? await compareLines(contentA ?? [], contentB ?? [], plain)
    : await compareLines(a ? changesOf(a) : [], b ? changesOf(b) : [], plain);
  if (all.every((line) => line.in === 'both')) return undefined;
  const lines = differingParts(all).flat();
  return {
    path,
    of: isWhole ? 'content' : 'changes',
    ...(!isWhole && { not_whole: notWhole }),
    lines: lines.slice(0, MOST_LINES),
    more: Math.max(0, lines.length - MOST_LINES),
  };
}
