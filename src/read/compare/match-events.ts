import type { Sequence } from '../../base/text/matching.ts';
import { Yielder } from '../../base/time/yielder.ts';
import { align } from './align.ts';

/** The events of a run as two sequences of numbers. Equal numbers mean equal kinds, or equal contents. */
export interface EventSequence {
  /** The kind of each event: its type, step and tool. */
  readonly kinds: Sequence;
  /** The content of each event, including its kind. */
  readonly contents: Sequence;
}

const largest = (sequence: Sequence): number => sequence.reduce((most, value) => Math.max(most, value), 0);

/** Like {@link align}, but first removes elements that only one side has, because they only cost time. */
class SharedAligner {
  /**
   * By number, the round in which it last occurred. Allocated once, because there may be a round per event.
   */
  readonly #seen: Int32Array;
  readonly #yielder: Yielder;
  #round = 0;

  constructor(a: Sequence, b: Sequence, yielder: Yielder) {
    this.#yielder = yielder;
    this.#seen = new Int32Array(Math.max(largest(a), largest(b)) + 1);
  }

  async align(a: Sequence, b: Sequence): Promise<Int32Array> {
    const [ofA, ofB] = [this.#shared(a, b), this.#shared(b, a)];
    const inner = await align(
      ofA.map((index) => a[index] as number),
      ofB.map((index) => b[index] as number),
      { yielder: this.#yielder },
    );
    const matches = new Int32Array(a.length).fill(-1);
    for (const [at, match] of inner.entries())
      if (match >= 0) matches[ofA[at] as number] = ofB[match] as number;
    return matches;
  }

  /** The indexes of elements that the other side has too. No others can match. */
  #shared(own: Sequence, other: Sequence): Int32Array {
    this.#round += 1;
    for (const number of other) this.#seen[number] = this.#round;
    return Int32Array.from(own.keys()).filter((index) => this.#seen[own[index] as number] === this.#round);
  }
}

/**
 * Returns for each event of the first run the index of its match in the second, or -1. Matches never cross.
 * Events with equal content are matched first, as many as possible; those in between are matched by kind.
 */
export async function matchEvents(a: EventSequence, b: EventSequence): Promise<Int32Array> {
  const yielder = new Yielder();
  const matches = await new SharedAligner(a.contents, b.contents, yielder).align(a.contents, b.contents);
  const byKind = new SharedAligner(a.kinds, b.kinds, yielder);
  let [fromA, fromB] = [0, 0];
  for (let at = 0; at <= matches.length; at += 1) {
    const match = at === matches.length ? b.kinds.length : (matches[at] as number);
    if (match < 0) continue;
    if (at > fromA && match > fromB) {
      const inner = await byKind.align(a.kinds.subarray(fromA, at), b.kinds.subarray(fromB, match));
      for (const [offset, found] of inner.entries()) if (found >= 0) matches[fromA + offset] = fromB + found;
    }
    [fromA, fromB] = [at + 1, match + 1];
  }
  return matches;
}
