import { parseInstant } from '../../../base/time/instant.ts';
import type { Interval } from './intervals.ts';
import type { SessionDocument } from './session.ts';

/** A time as stored and as a number. */
interface Stamp {
  readonly time: string;
  readonly instant: number;
}

/** The first and the last time of a session. */
export class SessionClock {
  #head: number | undefined;
  #first: Stamp | undefined;
  #last: Stamp | undefined;

  /** The session has a head that was written at this time. */
  headAt(time: string | undefined): void {
    this.#head ??= parseInstant(time ?? '');
  }

  /** A record has this time. Returns it in milliseconds since 1970; undefined if it is not a time. */
  reaches(time: string | undefined): number | undefined {
    const instant = parseInstant(time ?? '');
    if (time === undefined || instant === undefined) return undefined;
    if (this.#first === undefined || instant < this.#first.instant) this.#first = { time, instant };
    if (this.#last === undefined || instant > this.#last.instant) this.#last = { time, instant };
    return instant;
  }

  /** The first time so far, in milliseconds since 1970. */
  get first(): number | undefined {
    return this.#first?.instant;
  }

  /** The last time so far, in milliseconds since 1970. */
  get last(): number | undefined {
    return this.#last?.instant;
  }

  /** From the first time of the log to the last. */
  get whole(): Interval | undefined {
    const [first, last] = [this.#first, this.#last];
    if (first === undefined || last === undefined) return undefined;
    const head = this.#head ?? first.instant;
    return { from: Math.min(first.instant, head), to: Math.max(last.instant, head) };
  }

  /** Both times as stored. */
  get stored(): Pick<SessionDocument, 'started_at' | 'ended_at'> {
    const [first, last] = [this.#first, this.#last];
    return {
      ...(first !== undefined && { started_at: first.time }),
      ...(last !== undefined && { ended_at: last.time }),
    };
  }
}
