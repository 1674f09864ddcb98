import { parseInstant } from '../../../base/time/instant.ts';
import type { SessionTurn } from './session.ts';

/** An interval, in milliseconds since 1970. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** In milliseconds: shorter times between the clocks of a program are no waits. */
export const SHORTEST_WAIT = 1000;

/** The total length of intervals. Overlaps count once. */
export function lengthOf(intervals: readonly Interval[]): number {
  let [sum, reached] = [0, -Infinity];
  for (const { from, to } of intervals.toSorted((a, b) => a.from - b.from)) {
    sum += Math.max(0, to - Math.max(from, reached));
    reached = Math.max(reached, to);
  }
  return sum;
}

/** When the program waited for a person: for a permission or an answer, and between turns. */
export class SessionWaits {
  readonly #asked = new Map<SessionTurn | undefined, Interval[]>();

  /** The program asked a person, and now has the answer. Returns the time between, if both times are known. */
  asked(turn: SessionTurn | undefined, asked: string | undefined, answered: string | undefined) {
    const [from, to] = [parseInstant(asked ?? ''), parseInstant(answered ?? '')];
    if (from === undefined || to === undefined || to < from) return undefined;
    const ofTurn = this.#asked.get(turn);
    if (ofTurn) ofTurn.push({ from, to });
    else this.#asked.set(turn, [{ from, to }]);
    return to - from;
  }

  /** Returns the totals, and sets the times of each turn. */
  result(turns: readonly SessionTurn[]): { readonly waited_ms?: number; readonly idle_ms?: number } {
    let idle: number | undefined;
    // Time that a turn waited in addition to what the records say.
    let more = 0;
    for (const [index, turn] of turns.entries()) {
      const asked = this.#asked.get(turn);
      const known = asked === undefined ? 0 : lengthOf(asked);
      if (asked !== undefined) turn.waited_ms = known;
      const waited = (turn.duration_ms ?? 0) - (turn.worked_ms ?? Infinity);
      if (waited >= SHORTEST_WAIT && waited > known) {
        turn.waited_ms = waited;
        more += waited - known;
      }
      const [began, next] = [parseInstant(turn.time ?? ''), parseInstant(turns[index + 1]?.time ?? '')];
      if (began === undefined || next === undefined || turn.duration_ms === undefined) continue;
      const between = next - began - turn.duration_ms;
      if (between <= 0) continue;
      turn.idle_ms = between;
      idle = (idle ?? 0) + between;
    }
    return {
      ...((this.#asked.size > 0 || more > 0) && {
        waited_ms: lengthOf([...this.#asked.values()].flat()) + more,
      }),
      ...(idle !== undefined && { idle_ms: idle }),
    };
  }
}
