import { countsOf, type FileChange, hunksBetween } from '../../dialects/kit/file-change.ts';
import { type Hunk, hunksOf } from './hunks.ts';

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
      // Empty lines and brackets are all alike.
      const of = isOwn && /\w/.test(text) ? inHunk.get(text) : undefined;
      if (of !== undefined) seen.add(index - of);
    }
    for (const at of seen) yield { part, at };
  }
}

/** The lines of a hunk after it. `isOwn`: whether the run wrote the line of that index before. */
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

/** The parts after one more hunk that changes some of their lines again; undefined if it changes none, or no certain ones. */
function withHunk(parts: readonly Part[], hunk: Hunk): readonly Part[] | undefined {
  const places = [...placesOf(hunk, parts)].filter((place) => fits(hunk, place)).sort((a, b) => b.at - a.at);
  const touched = new Set(places.map(({ part }) => part));
  const [first, ...others] = touched.size === places.length ? places : [];
  const place = others.reduce<Place | undefined>((one, next) => one && united(hunk, one, next), first);
  if (place === undefined) return undefined;
  const part = joined(hunk, place);
  return parts.flatMap((one) => (one === first?.part ? [part] : touched.has(one) ? [] : [one]));
}

type Change = Pick<FileChange, 'kind' | 'diff' | 'moved_from' | 'added' | 'removed'>;

/** The lines that changes wrote and removed, with their signs. */
class SignedLines {
  readonly #lines = new Set<string>();

  add(lines: readonly string[]): void {
    for (const line of lines) if (!line.startsWith(' ')) this.#lines.add(line);
  }

  /** Whether a hunk removes a line that was written, or writes one that was removed. */
  isUndoneBy({ lines }: Hunk): boolean {
    const opposite = (line: string) => `${line.startsWith('+') ? '-' : '+'}${line.slice(1)}`;
    return lines.some((line) => !line.startsWith(' ') && this.#lines.has(opposite(line)));
  }
}

/** More changes of one file are not put together: the time for them would grow with their square. */
const MOST_CHANGES = 500;

/** What changes of a file did together. `isCertain`: nothing else can follow from them. */
function composed(changes: readonly Pick<Change, 'kind' | 'diff' | 'moved_from'>[]) {
  if (changes.length > MOST_CHANGES)
    return {
      hunks: changes.flatMap(({ diff }) => hunksOf(diff).map(({ lines }) => lines)),
      isCertain: false,
    };
  let parts: readonly Part[] = [];
  let [isNew, isCertain] = [false, true];
  const earlier = new SignedLines();
  for (const [index, { kind, diff, moved_from: from }] of changes.entries()) {
    const hunks = hunksOf(diff);
    const isWhole = hunks.every(({ before }) => before.length === 0) && kind !== 'edit';
    // The whole file is written again or removed, and its text before that is known if it was new.
    if (isWhole) {
      isNew ||= index === 0 && kind === 'write';
      isCertain = isNew;
      if (kind === 'write' || isNew) parts = [];
    }
    if (from !== undefined && index > 0) isCertain = false;
    for (const hunk of hunks) {
      const next = withHunk(parts, hunk);
      isCertain &&= next !== undefined || isWhole || !earlier.isUndoneBy(hunk);
      parts = next ?? [...parts, { before: hunk.before, now: linesAfter(hunk, () => false) }];
    }
    for (const { lines } of hunks) earlier.add(lines);
  }
  const hunks = parts.flatMap(({ before, now }) =>
    hunksBetween(
      before,
      now.map(({ text }) => text),
    ).map(({ lines }) => lines),
  );
  return { hunks, isCertain };
}

/**
 * The lines that a run removed from a file (`-`) and added to it (`+`) in the end, in order, without lines that it wrote and
 * changed again. A hunk changes earlier ones again if it names a line that they wrote, and fits around it at one place only.
 */
export const netChanges = (changes: readonly Pick<Change, 'kind' | 'diff'>[]): string[] =>
  composed(changes).hunks.flatMap((lines) => lines.filter((line) => !line.startsWith(' ')));

/** What all changes of a file did together. */
export interface NetChange {
  readonly added: number;
  readonly removed: number;
  /** A unified diff without its header and line numbers. */
  readonly diff: string;
}

/** What changes of a file did together; undefined if they do not say how they fit together. */
export function netChange(changes: readonly Change[]): NetChange | undefined {
  const [only, ...others] = changes;
  if (only === undefined) return undefined;
  if (others.length === 0) return { added: only.added, removed: only.removed, diff: only.diff };
  const { hunks, isCertain } = composed(changes);
  if (!isCertain) return undefined;
  return { ...countsOf(hunks.flat()), diff: hunks.map((lines) => ['@@', ...lines].join('\n')).join('\n') };
}
