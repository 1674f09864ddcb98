import { pushAll } from '../../../base/files/push-all.ts';
import { parseInstant } from '../../../base/time/instant.ts';
import { type Interval, intervalBetween, JoinedIntervals, lengthOf } from './intervals.ts';
import { ownTurnsOf, type SessionCall, type SessionDocument, type SessionTurn } from './session.ts';

/** In milliseconds: shorter times between the clocks of a program are no waits. */
const SHORTEST_WAIT = 1000;

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
  /** The log does not say when the work ended, but it was at least this long. */
  least?: number | undefined;
}

type TimesOfCall = Pick<SessionCall, 'duration_ms' | 'at_least_ms' | 'at_most_ms' | 'waited_ms'>;

/** How long a call worked, and how long a person took. `worked`: how long the program worked on the whole turn. */
export function timesOfCall(
  { took, measured, waited = 0, most, least: known = 0 }: CallClock,
  worked = Infinity,
): TimesOfCall {
  if (measured === undefined && most !== undefined) return { at_most_ms: Math.min(most, worked) };
  const least = (took ?? 0) - worked;
  if (measured === undefined && least >= SHORTEST_WAIT && least > waited)
    return { at_most_ms: worked, waited_ms: least };
  const rest = took === undefined ? measured : Math.max(0, took - waited);
  return {
    // Some programs measure a call together with the wait for its permission.
    ...(rest !== undefined && { duration_ms: Math.min(rest, measured ?? rest) }),
    ...(rest === undefined && known > 0 && { at_least_ms: known }),
    ...(waited > 0 && { waited_ms: waited }),
  };
}

/** The same of a call if a person may have taken more of its time than the log says. */
export const mostOfCall = ({
  took,
  waited = 0,
}: CallClock): Pick<SessionCall, 'at_most_ms' | 'waited_ms'> => ({
  ...(took !== undefined && { at_most_ms: Math.max(0, took - waited) }),
  ...(waited > 0 && { waited_ms: waited }),
});

/** When a call is known to have worked. `time`: of its result, else of its start. */
export function workedIn(
  { duration_ms: work = 0, at_least_ms: least = 0 }: SessionCall,
  time: string | undefined,
): Interval | undefined {
  const at = parseInstant(time ?? '');
  if (at === undefined || work + least === 0) return undefined;
  return least > 0 ? { from: at, to: at + least } : { from: at - work, to: at };
}

/** The interval of a turn that is being read, if its times are known. */
function intervalOf({ time, duration_ms: took }: SessionTurn): Interval | undefined {
  const from = parseInstant(time ?? '');
  return from === undefined || took === undefined ? undefined : { from, to: from + took };
}

/** Time in which the program did not work, of a turn or of a session. */
type Waits = Pick<SessionTurn, 'waited_ms' | 'idle_ms' | 'compacted_ms' | 'unknown_ms' | 'unsure_ms'>;

/** The time of a session that was not work, and the time in which nobody knows what the program did. */
type SessionTimes = Pick<SessionDocument, 'waited_ms' | 'idle_ms' | 'unknown_ms'>;

/** What is not known about the time of a session. */
export interface TimeDoubts {
  /** The intervals in which nobody knows what the program did. */
  readonly unknown: readonly Interval[];
  /** The intervals of calls in a turn of which a person took the time that the program did not work. */
  readonly sharedOf: (turn: SessionTurn) => readonly Interval[];
  /** For a turn with damaged lines: how long it lasted before the first of them. */
  readonly damageOf: (turn: SessionTurn) => { readonly lasted: number | undefined } | undefined;
}

/** A turn with its waits. Its duration is that of its work: from the prompt to the last record, without the waits. */
export function withWaits({ duration_ms: _clock, ...turn }: SessionTurn, times: TurnTimes = {}): SessionTurn {
  return { ...turn, ...times };
}

/** How much of a range is known and unknown, in milliseconds. */
function parted(
  range: Interval,
  doubts: JoinedIntervals,
): { readonly known: number; readonly unknown: number } {
  if (!(range.from < range.to)) return { known: 0, unknown: 0 };
  const unknown = lengthOf(doubts.within(range));
  return { known: range.to - range.from - unknown, unknown };
}

/** The times of a turn in the document of a session. */
type TurnTimes = Waits & Pick<SessionTurn, 'duration_ms'>;

/** The times of a copied turn: the session was not idle after it. `clock`: from its start to its end. */
const timesOfCopy = (clock: number, waited: number): TurnTimes => ({
  duration_ms: Math.max(0, clock - waited),
  ...(waited > 0 && { waited_ms: waited }),
});

/** When the program waited for a person: for a permission or an answer, and between turns unless it compacted the conversation. */
export class SessionWaits {
  readonly #asked = new Map<SessionTurn | undefined, Interval[]>();
  /** When the program compacted the conversation, also within turns. */
  readonly #compacted: Interval[] = [];

  /** The program asked a person, and now has the answer. Returns the time between, if both times are known. */
  asked(turn: SessionTurn | undefined, asked: string | undefined, answered: string | undefined) {
    const interval = intervalBetween(asked, answered);
    if (interval === undefined) return undefined;
    const ofTurn = this.#asked.get(turn);
    if (ofTurn) ofTurn.push(interval);
    else this.#asked.set(turn, [interval]);
    return interval.to - interval.from;
  }

  /** The program compacted the conversation at this time. Between turns it was not idle then. */
  compacted(interval: Interval): void {
    this.#compacted.push(interval);
  }

  /** The times of each turn, and the waits of the session. `whole`: from its first record to its last. */
  result(
    turns: readonly SessionTurn[],
    whole: Interval | undefined,
    { unknown, sharedOf, damageOf }: TimeDoubts,
  ): { readonly turns: readonly TurnTimes[]; readonly session: SessionTimes } {
    const doubts = new JoinedIntervals(unknown);
    const compactions = new JoinedIntervals(this.#compacted);
    const compactedAfter: Interval[] = [];
    // Time that turns waited in addition to what the records say.
    let more = 0;
    // Time of calls that a person may have taken, without that which a person took for certain.
    let shared = 0;
    const ofTurns = turns.map((turn, index): TurnTimes => {
      const damage = damageOf(turn);
      const clock = damage === undefined ? turn.duration_ms : damage.lasted;
      if (clock === undefined) return {};
      const from = parseInstant(turn.time ?? '') ?? 0;
      const asked = this.#asked.get(turn) ?? [];
      if (turn.copied)
        return timesOfCopy(clock, Math.max(lengthOf(asked), clock - (turn.worked_ms ?? clock)));
      // After a damaged line, nobody knows to which turn the time belongs.
      const before = { from, to: from + clock };
      const waits = damage ? new JoinedIntervals(asked).within(before) : asked;
      const stated = lengthOf(waits);
      const measured = clock - (turn.worked_ms ?? Infinity);
      const isLonger = measured >= SHORTEST_WAIT && measured > stated;
      if (isLonger) {
        more += measured - stated;
        const doubtful = doubts.without(new JoinedIntervals(asked).without(sharedOf(turn)));
        shared += Math.max(0, lengthOf(doubtful) - (measured - stated));
      }
      const waited = isLonger ? measured : stated;
      const notWorked = damage ? Math.max(waited, lengthOf([...waits, ...doubts.within(before)])) : waited;
      const after = turns[index + 1];
      const next = after === undefined ? whole?.to : parseInstant(after.time ?? '');
      const end = intervalOf(turn)?.to ?? Infinity;
      const between = { from: end, to: next ?? end };
      const pause = parted(between, doubts);
      const compacted = between.from < between.to ? doubts.without(compactions.within(between)) : [];
      pushAll(compactedAfter, compacted);
      const later = parted({ from: damage ? before.to : end, to: Math.min(end, next ?? end) }, doubts);
      const worked = lengthOf(compacted);
      const [idle, unsure] = [pause.known - worked, later.known];
      const unknown = pause.unknown + later.unknown + (notWorked - waited);
      return {
        duration_ms: Math.max(0, clock - notWorked),
        ...((isLonger || asked.length > 0) && { waited_ms: waited }),
        ...(idle > 0 && { idle_ms: idle }),
        ...(worked > 0 && { compacted_ms: worked }),
        ...(unknown > 0 && { unknown_ms: unknown }),
        ...(unsure > 0 && { unsure_ms: unsure }),
      };
    });
    const own = ownTurnsOf({ turns });
    const active = own.flatMap((turn) => intervalOf(turn) ?? []);
    const known = [...active, ...compactedAfter, ...unknown];
    const idle = whole && active.length > 0 ? whole.to - whole.from - lengthOf(known) : 0;
    const waits = [...this.#asked].filter(([turn]) => !turn?.copied);
    const asked = waits.flatMap(([, intervals]) => intervals);
    const doubtful = lengthOf(new JoinedIntervals(asked).without(unknown)) + shared;
    return {
      turns: ofTurns,
      session: {
        ...((waits.length > 0 || more > 0) && { waited_ms: lengthOf(asked) + more }),
        ...(idle > 0 && { idle_ms: idle }),
        ...(doubtful > 0 && { unknown_ms: doubtful }),
      },
    };
  }
}
