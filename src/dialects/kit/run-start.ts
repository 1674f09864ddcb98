import type { JsonObject } from '../../base/json/value.ts';
import { parseInstant } from '../../base/time/instant.ts';
import type { LogRecord } from '../../log/record.ts';
import type { Dialect, RecordSource } from '../dialect.ts';

/**
 * The start of a run is the earliest time that its records state: their own time, or an earlier start that they
 * name. A start that follows only from a duration is not one, because a duration may be a sum or a mistake.
 */
export function earlier(known: number | undefined, ...stated: readonly (string | undefined)[]) {
  let least = known;
  for (const text of stated) {
    const at = parseInstant(text);
    if (at !== undefined && (least === undefined || at < least)) least = at;
  }
  return least;
}

/** Several writers may put the first records of a run out of order, so this many are looked at. */
export const FIRST_RECORDS = 20;

/** The start of a run as its first records state it, as text; undefined if they have no time. */
export function startIn(events: readonly JsonObject[], dialect: Dialect): string | undefined {
  let least: { readonly at: number; readonly text: string } | undefined;
  for (const event of events) {
    const time = dialect.eventTime(event);
    for (const text of time === undefined ? [] : [time, dialect.span?.(event).start]) {
      const at = parseInstant(text);
      if (text !== undefined && at !== undefined && (least === undefined || at < least.at))
        least = { at, text };
    }
  }
  return least?.text;
}

/** Finds the start of a run in its first records. */
export class RunStart {
  readonly #source: Pick<RecordSource, 'view' | 'span'>;
  #left = FIRST_RECORDS;
  /** Milliseconds since 1970; undefined if no record has a time. */
  at: number | undefined;

  constructor(source: Pick<RecordSource, 'view' | 'span'>) {
    this.#source = source;
  }

  /** Adds the next record of the run. */
  add(record: LogRecord): void {
    // The first records may have no time.
    if (this.#left <= 0 && this.at !== undefined) return;
    this.#left -= 1;
    const time = this.#source.view.time(record);
    if (time !== undefined) this.at = earlier(this.at, time, this.#source.span?.(record.value).start);
  }
}
