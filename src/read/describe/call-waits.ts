import type { CallWait } from '../../dialects/kit/account.ts';

/** The times of a span, in milliseconds. */
export interface SpanTimes {
  /** How long it worked. */
  readonly durationMs?: number;
  /** If the log does not say that: how long it worked at least, or at most. */
  readonly atLeastMs?: number;
  readonly atMostMs?: number;
  /** How long it waited for a person in addition. */
  readonly waitedMs?: number;
}

/**
 * The calls of a session that waited for a person or were stopped. Records only have the times at which a call began and
 * ended, so its duration follows from the whole session.
 */
export class CallWaits {
  readonly #byLines: ReadonlyMap<string, CallWait>;

  constructor(waits: readonly CallWait[] = []) {
    this.#byLines = new Map(waits.map((wait) => [`${wait.line} ${wait.result_line}`, wait]));
  }

  /** The times of the span of a record; `durationMs` is the time from its start to its end. */
  timesOf(
    {
      callLine,
      durationMs,
    }: { readonly callLine?: number | undefined; readonly durationMs?: number | undefined },
    line: number,
  ): SpanTimes {
    const wait = this.#byLines.get(`${callLine ?? line} ${line}`);
    if (wait === undefined) return durationMs === undefined ? {} : { durationMs };
    const { duration_ms: worked, at_least_ms: atLeastMs } = wait;
    const { at_most_ms: atMostMs, waited_ms: waitedMs } = wait;
    return {
      ...(worked !== undefined && { durationMs: worked }),
      ...(atLeastMs !== undefined && { atLeastMs }),
      ...(atMostMs !== undefined && { atMostMs }),
      ...(waitedMs !== undefined && { waitedMs }),
    };
  }
}
