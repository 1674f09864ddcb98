/** The elements of a sequence as numbers; equal elements have equal numbers. */
export type Sequence = Int32Array;

/**
 * The exact search stops after this many steps and continues with the best point so far: for two long
 * sequences with little in common it would take quadratic time.
 */
const MOST_STEPS = 256;

/** A range of each sequence; the ends are exclusive. */
interface Box {
  readonly a: number;
  readonly aEnd: number;
  readonly b: number;
  readonly bEnd: number;
}

/**
 * Myers' linear-space search for the middle of a shortest edit script, from both ends at once. `ahead` and
 * `back` record per diagonal how far each search has come in the first sequence.
 */
class MiddleSearch {
  readonly #a: Sequence;
  readonly #b: Sequence;
  readonly #ahead: Int32Array;
  readonly #back: Int32Array;
  /** The index of diagonal 0. Diagonals range from -b.length - 1 to a.length + 1. */
  readonly #zero: number;
  readonly #most: number;

  constructor(a: Sequence, b: Sequence, most: number) {
    this.#a = a;
    this.#b = b;
    this.#ahead = new Int32Array(a.length + b.length + 3);
    this.#back = new Int32Array(a.length + b.length + 3);
    this.#zero = b.length + 1;
    this.#most = most;
  }

  /** The best point to cut a box in two. Neither side of the box is empty. */
  cut(box: Box): { readonly a: number; readonly b: number } {
    const least = box.a - box.bEnd;
    const greatest = box.aEnd - box.b;
    const start = box.a - box.b;
    const end = box.aEnd - box.bEnd;
    const isOdd = ((start - end) & 1) !== 0;
    const [ahead, back, zero] = [this.#ahead, this.#back, this.#zero];
    let [low, high, backLow, backHigh] = [start, start, end, end];
    ahead[zero + start] = box.a;
    back[zero + end] = box.aEnd;
    for (let steps = 1; ; steps += 1) {
      if (low > least) ahead[zero + --low - 1] = -1;
      else low += 1;
      if (high < greatest) ahead[zero + ++high + 1] = -1;
      else high -= 1;
      for (let diagonal = high; diagonal >= low; diagonal -= 2) {
        const at = this.#goAhead(diagonal, box);
        if (isOdd && diagonal >= backLow && diagonal <= backHigh && (back[zero + diagonal] as number) <= at)
          return { a: at, b: at - diagonal };
      }
      if (backLow > least) back[zero + --backLow - 1] = 0x7fffffff;
      else backLow += 1;
      if (backHigh < greatest) back[zero + ++backHigh + 1] = 0x7fffffff;
      else backHigh -= 1;
      for (let diagonal = backHigh; diagonal >= backLow; diagonal -= 2) {
        const at = this.#goBack(diagonal, box);
        if (!isOdd && diagonal >= low && diagonal <= high && at <= (ahead[zero + diagonal] as number))
          return { a: at, b: at - diagonal };
      }
      if (steps >= this.#most) return this.#farthest(box, [low, high], [backLow, backHigh]);
    }
  }

  #goAhead(diagonal: number, { aEnd, bEnd }: Box): number {
    const [ahead, at] = [this.#ahead, this.#zero + diagonal];
    const [below, above] = [ahead[at - 1] as number, ahead[at + 1] as number];
    let a = below < above ? above : below + 1;
    for (let b = a - diagonal; a < aEnd && b < bEnd && this.#a[a] === this.#b[b]; b += 1) a += 1;
    ahead[at] = a;
    return a;
  }

  #goBack(diagonal: number, box: Box): number {
    const [back, at] = [this.#back, this.#zero + diagonal];
    const [below, above] = [back[at - 1] as number, back[at + 1] as number];
    let a = below < above ? below : above - 1;
    for (let b = a - diagonal; a > box.a && b > box.b && this.#a[a - 1] === this.#b[b - 1]; b -= 1) a -= 1;
    back[at] = a;
    return a;
  }

  /** Of the points that both searches reached, the one farthest from its start. */
  #farthest(box: Box, ahead: readonly [number, number], back: readonly [number, number]) {
    let [best, bestA] = [-1, box.a];
    for (let diagonal = ahead[1]; diagonal >= ahead[0]; diagonal -= 2) {
      let a = Math.min(this.#ahead[this.#zero + diagonal] as number, box.aEnd);
      if (a - diagonal > box.bEnd) a = box.bEnd + diagonal;
      if (2 * a - diagonal > best) [best, bestA] = [2 * a - diagonal, a];
    }
    let [least, leastA] = [Infinity, box.aEnd];
    for (let diagonal = back[1]; diagonal >= back[0]; diagonal -= 2) {
      let a = Math.max(this.#back[this.#zero + diagonal] as number, box.a);
      if (a - diagonal < box.b) a = box.b + diagonal;
      if (2 * a - diagonal < least) [least, leastA] = [2 * a - diagonal, a];
    }
    const isAheadBetter = box.aEnd + box.bEnd - least < best - (box.a + box.b);
    return isAheadBetter ? { a: bestA, b: best - bestA } : { a: leastA, b: least - leastA };
  }
}

/** Fills in the matches of two sequences as {@link alignAtOnce} returns them, box by box. */
export function* matching(
  a: Sequence,
  b: Sequence,
  matches: Int32Array,
  most = MOST_STEPS,
): Generator<void, void, void> {
  const search = new MiddleSearch(a, b, most);
  const boxes: Box[] = [{ a: 0, aEnd: a.length, b: 0, bEnd: b.length }];
  for (let box = boxes.pop(); box !== undefined; box = boxes.pop()) {
    yield;
    const inner = withoutEnds(box, a, b, matches);
    if (inner.a === inner.aEnd || inner.b === inner.bEnd) continue;
    const cut = search.cut(inner);
    boxes.push({ ...inner, a: cut.a, b: cut.b }, { ...inner, aEnd: cut.a, bEnd: cut.b });
  }
}

/**
 * Returns for each element of `a` the index of its match in `b`, or -1. Indexes ascend, and matched elements
 * are equal. The number of matches is the maximum, or nearly so for long sequences with thousands of
 * differences. Linear space (Myers 1986).
 */
export function alignAtOnce(a: Sequence, b: Sequence): Int32Array {
  const matches = new Int32Array(a.length).fill(-1);
  for (const _ of matching(a, b, matches));
  return matches;
}

/** Matches the common prefix and suffix of a box, and returns the rest. */
function withoutEnds(box: Box, first: Sequence, second: Sequence, matches: Int32Array): Box {
  let { a, aEnd, b, bEnd } = box;
  while (a < aEnd && b < bEnd && first[a] === second[b]) matches[a++] = b++;
  while (aEnd > a && bEnd > b && first[aEnd - 1] === second[bEnd - 1]) matches[--aEnd] = --bEnd;
  return { a, aEnd, b, bEnd };
}

/** A step through two sequences: a pair of elements, or an element of one of them. The numbers are indexes. */
type Step =
  | { readonly kind: 'pair'; readonly a: number; readonly b: number }
  | { readonly kind: 'missing'; readonly a: number }
  | { readonly kind: 'added'; readonly b: number };

/** Yields the steps through both sequences in order. Between two pairs, missing elements come before added ones. */
export function* stepsOf(matches: Int32Array, lengthOfB: number): Generator<Step, void, void> {
  let b = 0;
  for (const [a, match] of matches.entries()) {
    if (match < 0) {
      yield { kind: 'missing', a };
      continue;
    }
    for (; b < match; b += 1) yield { kind: 'added', b };
    yield { kind: 'pair', a, b };
    b += 1;
  }
  for (; b < lengthOfB; b += 1) yield { kind: 'added', b };
}
