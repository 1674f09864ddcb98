import { grouped } from '../../../base/text/grouped.ts';
import { type Interval, intervalBetween, JoinedIntervals } from './intervals.ts';
import type { Gap } from './missing-parents.ts';
import type { SessionTurn } from './session.ts';
import type { SettledCall } from './settled-call.ts';
import type { TimeDoubts } from './waits.ts';

/**
 * The time in which nobody knows what a program did: around damaged lines, and while something may have worked that the log
 * does not time. A damaged line may have been the end of a turn, a prompt, a call, a result or a permission, so
 * nobody knows whether the model or a tool worked, the program waited or was idle. In milliseconds since 1970.
 */
export class UnknownTime {
  readonly #intervals: Interval[] = [];
  readonly #untold: Interval[] = [];
  readonly #gaps: (Interval & { readonly gap: Gap })[] = [];
  /** A damaged line was found, and no known time after it. */
  #isOpen = false;
  /** The last time before the last damaged line whose meaning is known. */
  #from: number | undefined;
  /** A time after the last damaged line, from which on no record showed what the program did. */
  #since: number | undefined;
  /** Whether the model went on after the last damaged line, so that no lost call is running. */
  #isShown = true;
  /** Whether a record after the last damaged line says whether the program works. */
  #isStated = true;
  #isFound = false;

  /** Whether any line is damaged. */
  get isFound(): boolean {
    return this.#isFound;
  }

  /** Whether a record after the last damaged line says whether the program works, or no line is damaged. */
  get isStated(): boolean {
    return this.#isStated;
  }

  /** A damaged line. `from`: until then, it is known what the program did; `last`: the last known time. */
  lost(from: number | undefined, last: number | undefined): void {
    this.#isFound = true;
    this.#add(this.#since, last);
    this.#since = undefined;
    this.#isShown = false;
    this.#isStated = false;
    this.#from = this.#isOpen && this.#from !== undefined ? Math.min(from ?? this.#from, this.#from) : from;
    this.#isOpen = true;
  }

  /** A record has this time. */
  reached(instant: number): void {
    if (!this.#isOpen) return;
    this.#add(this.#from, instant);
    this.#isOpen = false;
    this.#since = instant;
  }

  /** The program worked on a turn until now. `byModel`: the model went on, so it has the results of its calls. */
  worked(now: number | undefined, byModel: boolean): void {
    if (this.#since === undefined || !(byModel || this.#isShown)) return;
    if (!this.#isShown) this.#add(this.#since, now);
    this.#isShown = true;
    this.#since = this.#isStated ? undefined : now;
  }

  /** A result without a call: the call is lost, and worked until now. */
  orphan(now: number | undefined): void {
    this.#add(this.#from, now);
  }

  /** A record says whether the program works. */
  stated(now: number | undefined): void {
    this.#isStated = true;
    if (!this.#isShown) return;
    this.#add(this.#since, now);
    this.#since = undefined;
  }

  /** Another turn begins, about which everything is known. */
  begins(now: number | undefined): void {
    this.#add(this.#isOpen ? this.#from : this.#since, now);
    this.#isOpen = false;
    this.#since = undefined;
    this.#isShown = true;
    this.#isStated = true;
  }

  /** Between these times something worked that the log does not time, perhaps only for a part of it. */
  untold(since: string | undefined, until: string | undefined): void {
    const interval = intervalBetween(since, until);
    if (interval) this.#untold.push(interval);
  }

  /** A record is missing between these times. */
  gap(gap: Gap, from: number | undefined, to: number | undefined): void {
    if (from !== undefined && to !== undefined && from < to) this.#gaps.push({ from, to, gap });
  }

  /** All such time of a session with these calls, up to the last known time. What a call is known to have worked is not unknown. */
  with(calls: readonly SettledCall[], last: number | undefined): Pick<TimeDoubts, 'unknown' | 'sharedOf'> {
    const ofCalls = grouped(calls, ({ isShared, turn }) => (isShared ? turn : 'untold'));
    const unknownOf = (key: SessionTurn | 'untold') =>
      ofCalls.get(key)?.flatMap(({ unknown }) => unknown ?? []) ?? [];
    const gaps = this.#gaps.filter(({ gap }) => !gap.isFilled);
    const worked = new JoinedIntervals(calls.flatMap((call) => call.worked ?? []));
    return {
      unknown: [...this.#until(last), ...worked.without([...this.#untold, ...gaps, ...unknownOf('untold')])],
      sharedOf: unknownOf,
    };
  }

  /** The intervals around damaged lines. */
  #until(last: number | undefined): readonly Interval[] {
    const from = this.#isOpen ? this.#from : this.#since;
    return from === undefined || last === undefined || last <= from
      ? this.#intervals
      : [...this.#intervals, { from, to: last }];
  }

  #add(from: number | undefined, to: number | undefined): void {
    if (from !== undefined && to !== undefined && from < to) this.#intervals.push({ from, to });
  }
}
