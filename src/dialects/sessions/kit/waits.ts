import { parseInstant } from '../../../base/time/instant.ts';
import type { SessionCall, SessionTurn } from './session.ts';

/** An interval, in milliseconds since 1970. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** In milliseconds: shorter times between the clocks of a program are no waits. */
const SHORTEST_WAIT = 1000;

/** The total length of intervals. Overlaps count once. */
export function lengthOf(intervals: readonly Interval[]): number {
  let [sum, reached] = [0, -Infinity];
  for (const { from, to } of intervals.toSorted((a, b) => a.from - b.from)) {
    sum += Math.max(0, to - Math.max(from, reached));
    reached = Math.max(reached, to);
  }
  return sum;
}

/** What a log says about the time of a call, in milliseconds. */
export interface CallClock {
  /** From the call to its result. */
  took?: number | undefined;
  /** The program measured the work of the call. */
  measured?: number | undefined;
  /** A person is known to have taken this long. */
  waited?: number | undefined;
  /** The log does not say when the work ended, but it was not longer than this. */
  most?: number | undefined;
}

/** How long a call worked, and how long a person took. `worked`: how long the program worked on the whole turn. */
export function timesOfCall(
  { took, measured, waited = 0, most }: CallClock,
  worked = Infinity,
): Pick<SessionCall, 'duration_ms' | 'at_most_ms' | 'waited_ms'> {
  if (measured === undefined && most !== undefined) return { at_most_ms: Math.min(most, worked) };
  const least = (took ?? 0) - worked;
  if (measured === undefined && least >= SHORTEST_WAIT && least > waited)
    return { at_most_ms: worked, waited_ms: least };
  const rest = took === undefined ? measured : Math.max(0, took - waited);
  return {
    // Some programs measure a call together with the wait for its permission.
    ...(rest !== undefined && { duration_ms: Math.min(rest, measured ?? rest) }),
    ...(waited > 0 && { waited_ms: waited }),
  };
}

/** The interval of a turn that is being read, if its times are known. */
function intervalOf({ time, duration_ms: took }: SessionTurn): Interval | undefined {
  const from = parseInstant(time ?? '');
  return from === undefined || took === undefined ? undefined : { from, to: from + took };
}

/** Time in which the program did not work, of a turn or of a session. */
type Waits = Pick<SessionTurn, 'waited_ms' | 'idle_ms'>;

/** A turn with its waits. Its duration is that of its work: from the prompt to the last record, without the waits. */
export function withWaits(turn: SessionTurn, waits: Waits = {}): SessionTurn {
  const { duration_ms: took } = turn;
  const { waited_ms: waited = 0 } = waits;
  return { ...turn, ...(took !== undefined && { duration_ms: Math.max(0, took - waited) }), ...waits };
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

  /** The waits of each turn, and of the session. `whole`: from its first record to its last. */
  result(
    turns: readonly SessionTurn[],
    whole: Interval | undefined,
  ): { readonly turns: readonly Waits[]; readonly session: Waits } {
    // Time that a turn waited in addition to what the records say.
    let more = 0;
    const ofTurns = turns.map((turn, index): Waits => {
      const asked = this.#asked.get(turn);
      const known = asked === undefined ? 0 : lengthOf(asked);
      const measured = (turn.duration_ms ?? 0) - (turn.worked_ms ?? Infinity);
      const isLonger = measured >= SHORTEST_WAIT && measured > known;
      if (isLonger) more += measured - known;
      const after = turns[index + 1];
      const next = after === undefined ? whole?.to : parseInstant(after.time ?? '');
      const idle = (next ?? 0) - (intervalOf(turn)?.to ?? Infinity);
      return {
        ...((isLonger || asked !== undefined) && { waited_ms: isLonger ? measured : known }),
        ...(idle > 0 && { idle_ms: idle }),
      };
    });
    const active = turns.flatMap((turn) => intervalOf(turn) ?? []);
    const idle = whole && active.length > 0 ? whole.to - whole.from - lengthOf(active) : 0;
    return {
      turns: ofTurns,
      session: {
        ...((this.#asked.size > 0 || more > 0) && {
          waited_ms: lengthOf([...this.#asked.values()].flat()) + more,
        }),
        ...(idle > 0 && { idle_ms: idle }),
      },
    };
  }
}
