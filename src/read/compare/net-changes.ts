import { pushAll } from '../../base/files/push-all.ts';
import type { FileChange } from '../../dialects/kit/file-change.ts';
import { type Hunk, hunksOf } from './hunks.ts';
import { comparedLines } from './line-difference.ts';

/** A line of a file as it is now. `isOwn`: the run wrote it. */
interface Line {
  readonly text: string;
  readonly isOwn: boolean;
}

/** Lines that follow one another in a file: what they were before the run, and what they are now. */
interface Part {
  readonly before: readonly string[];
  readonly now: readonly Line[];
}

/** A part whose lines a hunk changes again. `at`: where the hunk begins in them, below 0 if it begins before them. */
interface Place {
  readonly part: Part;
  readonly at: number;
}

/** Lines that a hunk shares with a part without lying in it, or the part in the hunk; fewer may be equal by chance. */
const LEAST_SHARED = 3;

/** Whether a hunk fits at a place: all lines that both have are equal, and they are the same lines of the file. */
function fits({ before }: Hunk, { part: { now }, at }: Place): boolean {
  const end = at + before.length;
  const shared = Math.min(end, now.length) - Math.max(at, 0);
  const isSure = shared === before.length || shared === now.length || shared >= LEAST_SHARED;
  return isSure && before.every((text, index) => (now[at + index]?.text ?? text) === text);
}

/** The parts with a line that the run wrote and that a hunk names, and where the hunk would begin in them. */
function* placesOf({ before }: Hunk, parts: readonly Part[]): Generator<Place> {
  const inHunk = new Map(before.map((text, index) => [text, index]));
  for (const part of parts) {
    const seen = new Set<number>();
    for (const [index, { text, isOwn }] of part.now.entries()) {
      // An empty line or a bracket is not told from another one.
      const of = isOwn && /\w/.test(text) ? inHunk.get(text) : undefined;
      if (of !== undefined) seen.add(index - of);
    }
    for (const at of seen) yield { part, at };
  }
}

/** The lines of a hunk after it. `isOwn` tells whether the run wrote the line of that index before it. */
function linesAfter({ lines }: Hunk, isOwn: (index: number) => boolean): Line[] {
  const after: Line[] = [];
  let index = 0;
  for (const line of lines) {
    const text = line.slice(1);
    if (line.startsWith('+')) after.push({ text, isOwn: true });
    else {
      if (!line.startsWith('-')) after.push({ text, isOwn: isOwn(index) });
      index += 1;
    }
  }
  return after;
}

/** A part with a hunk that changes some of its lines again; it may reach beyond its first and last lines. */
function joined(hunk: Hunk, { part: { before, now }, at }: Place): Part {
  const { before: lines } = hunk;
  const end = at + lines.length;
  const head = lines.slice(0, Math.max(0, -at));
  const tail = lines.slice(Math.max(0, lines.length - Math.max(0, end - now.length)));
  return {
    before: [...head, ...before, ...tail],
    now: [
      ...now.slice(0, Math.max(0, at)),
      ...linesAfter(hunk, (index) => now[at + index]?.isOwn === true),
      ...now.slice(Math.max(0, end)),
    ],
  };
}

const unchanged = (lines: readonly Line[]): boolean => lines.every(({ isOwn }) => !isOwn);

/** Two parts that one hunk names, and the lines of the hunk between them, as one part; undefined if both wrote one line. */
function united({ before }: Hunk, first: Place, second: Place): Place | undefined {
  // The second part begins at this line of the first one.
  const from = first.at - second.at;
  const length = first.part.now.length;
  const shared = Math.max(0, length - from);
  if (shared > second.part.now.length) return undefined;
  if (!unchanged(first.part.now.slice(from)) || !unchanged(second.part.now.slice(0, shared)))
    return undefined;
  const between = before.slice(length - first.at, Math.max(length, from) - first.at);
  return {
    at: first.at,
    part: {
      before: [...first.part.before, ...between, ...second.part.before.slice(shared)],
      now: [
        ...first.part.now,
        ...between.map((text) => ({ text, isOwn: false })),
        ...second.part.now.slice(shared),
      ],
    },
  };
}

/** The parts after one more hunk. */
function withHunk(parts: readonly Part[], hunk: Hunk): readonly Part[] {
  const places = [...placesOf(hunk, parts)].filter((place) => fits(hunk, place)).sort((a, b) => b.at - a.at);
  const touched = new Set(places.map(({ part }) => part));
  const [first, ...others] = touched.size === places.length ? places : [];
  const place = others.reduce<Place | undefined>((one, next) => one && united(hunk, one, next), first);
  if (place === undefined) return [...parts, { before: hunk.before, now: linesAfter(hunk, () => false) }];
  const part = joined(hunk, place);
  return parts.flatMap((one) => (one === first?.part ? [part] : touched.has(one) ? [] : [one]));
}

/**
 * The lines that a run removed from a file (`-`) and added to it (`+`) in the end, in order, without lines that it wrote and
 * changed again. A hunk changes earlier ones again if it names a line that they wrote, and fits around it at one place only.
 */
export function netChanges(changes: readonly Pick<FileChange, 'kind' | 'diff'>[]): string[] {
  let parts: readonly Part[] = [];
  for (const { kind, diff } of changes) {
    const hunks = hunksOf(diff);
    // The whole file is written again.
    if (kind === 'write' && hunks.every(({ before }) => before.length === 0)) parts = [];
    for (const hunk of hunks) parts = withHunk(parts, hunk);
  }
  const lines: string[] = [];
  for (const { before, now } of parts)
    pushAll(
      lines,
      comparedLines(
        before,
        now.map(({ text }) => text),
      ).flatMap((line) => (line.in === 'both' ? [] : [`${line.in === 'a' ? '-' : '+'}${line.text}`])),
    );
  return lines;
}
