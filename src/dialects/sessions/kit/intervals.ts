import { firstFrom } from '../../../base/text/first-from.ts';
import { parseInstant } from '../../../base/time/instant.ts';

/** An interval, in milliseconds since 1970. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** The interval between two stored times; undefined if one of them is unknown or the second is earlier. */
export function intervalBetween(start: string | undefined, end: string | undefined): Interval | undefined {
  const [from, to] = [parseInstant(start ?? ''), parseInstant(end ?? '')];
  return from === undefined || to === undefined || to < from ? undefined : { from, to };
}

const inOrder = (intervals: readonly Interval[]): Interval[] => intervals.toSorted((a, b) => a.from - b.from);

/** The total length of intervals. Overlaps count once. */
export function lengthOf(intervals: readonly Interval[]): number {
  let [sum, reached] = [0, -Infinity];
  for (const { from, to } of inOrder(intervals)) {
    sum += Math.max(0, to - Math.max(from, reached));
    reached = Math.max(reached, to);
  }
  return sum;
}

/** Intervals that are joined where they meet, so that those at a time are found without looking at the others. */
export class JoinedIntervals {
  readonly all: readonly Interval[];

  constructor(intervals: readonly Interval[]) {
    const all: { readonly from: number; to: number }[] = [];
    for (const { from, to } of inOrder(intervals)) {
      const last = all.at(-1);
      if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
      else all.push({ from, to });
    }
    this.all = all;
  }

  /** The parts of them in a range. */
  within({ from, to }: Interval): Interval[] {
    const parts: Interval[] = [];
    for (let at = this.#firstAfter(from); ; at += 1) {
      const one = this.all[at];
      if (one === undefined || one.from >= to) return parts;
      parts.push({ from: Math.max(one.from, from), to: Math.min(one.to, to) });
    }
  }

  /** What other intervals have outside of them. */
  without(others: readonly Interval[]): Interval[] {
    return others.flatMap((other) => {
      const left: Interval[] = [];
      let { from } = other;
      for (const inside of this.within(other)) {
        if (inside.from > from) left.push({ from, to: inside.from });
        from = inside.to;
      }
      return from < other.to ? [...left, { from, to: other.to }] : left;
    });
  }

  /** The index of the first one that ends after a time. */
  #firstAfter(time: number): number {
    return firstFrom(this.all.length, (index) => (this.all[index]?.to ?? Infinity) > time);
  }
}
