import { parseInstant } from '../../base/time/instant.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import { type AccountBuilder, type EventSpan, NOT_YET, type SpanStatus } from '../../dialects/kit/account.ts';
import type { LogRecord } from '../../log/record.ts';
import { CallWaits, type SpanTimes } from './call-waits.ts';
import { type SpanOf, spanOfEvent, spansInOrder } from './span.ts';

/** An event as a span, as `noesis timeline -j` prints it. Absent values are left out. */
export interface Span extends SpanTimes {
  readonly line: number;
  /** If this is the result of a call on another line: the line of the call. */
  readonly callLine?: number;
  readonly id?: string;
  /** The id of its cause. */
  readonly parent?: string;
  readonly name: string;
  readonly phase?: string;
  /** ISO 8601, as stored. */
  readonly start?: string;
  readonly end?: string;
  readonly status: SpanStatus;
  /** Whether its record was copied from another session, where it counts. */
  readonly copied?: true;
}

const NO_WAITS = new CallWaits();

const alone =
  (dialect: Dialect): SpanOf =>
  (event) =>
    spanOfEvent(dialect, event);

/** Returns a function that makes the spans of a log's records, called in order. */
export function spanMaker(dialect: Dialect, waits?: CallWaits): (record: LogRecord) => Span {
  const spanOf = spansInOrder(dialect);
  return (record) => spanOfRecord(record, dialect, spanOf, waits);
}

export function spanOfRecord(
  record: LogRecord,
  dialect: Dialect,
  spanOf = alone(dialect),
  waits = NO_WAITS,
): Span {
  const { view } = dialect;
  const span = spanOf(record.value, record.line);
  const { name, end, status = 'ok', callLine, copied } = span;
  // The time of a copy may be that of the copying.
  const start = span.start ?? (copied ? undefined : view.time(record));
  const [id, parent, phase] = [view.id(record), view.cause?.(record), view.phase?.(record)];
  return {
    line: record.line,
    ...(callLine !== undefined && callLine !== record.line && { callLine }),
    ...(id !== undefined && { id }),
    ...(parent !== undefined && { parent }),
    name: name === '' ? (view.type(record) ?? 'event') : name,
    ...(phase !== undefined && { phase }),
    ...(start !== undefined && { start }),
    ...(end !== undefined && { end }),
    ...waits.timesOf(span, record.line),
    status,
    ...(copied && { copied }),
  };
}

/**
 * Gathers the spans of a whole log, for records that are read again one by one: a result does not say when its
 * call began.
 */
export class SpansOfLog {
  readonly #dialect: Dialect;
  readonly #spanOf: SpanOf | undefined;
  readonly #byLine = new Map<number, EventSpan>();
  /** For the records that only begin a call: the line of its result, or {@link NOT_YET}. */
  readonly #results = new Map<number, number>();
  readonly #account: AccountBuilder | undefined;
  #waits: CallWaits | undefined;

  private constructor(dialect: Dialect, account: AccountBuilder | undefined) {
    this.#dialect = dialect;
    this.#account = account;
    if (dialect.spans !== undefined) this.#spanOf = spansInOrder(dialect);
  }

  static async open(dialect: Dialect): Promise<SpansOfLog> {
    return new SpansOfLog(dialect, dialect.storesMuch ? await dialect.account?.() : undefined);
  }

  /** Call it for each record of the log, in order. */
  add(record: LogRecord): void {
    const { value, line } = record;
    this.#account?.add(record);
    if (this.#spanOf === undefined) return;
    const span = this.#spanOf(value, line);
    const { spanLine, callLine, durationMs } = span;
    if (spanLine !== undefined) {
      this.#results.set(line, spanLine);
      if (spanLine === NOT_YET) this.#byLine.set(line, { ...span, status: 'open' });
    } else if (callLine !== undefined && this.#results.has(callLine)) {
      this.#results.set(callLine, line);
      this.#byLine.delete(callLine);
      this.#byLine.set(line, span);
      // A copy is only known by the records before it.
    } else if (durationMs !== undefined || span.copied) this.#byLine.set(line, span);
  }

  lost(line: number): void {
    this.#account?.lost?.(line);
  }

  /** For a record that only begins a call: the line of its result, whose span has both. */
  resultOf(line: number): number | undefined {
    return this.#results.get(line) || undefined;
  }

  of(record: LogRecord): Span {
    const known = this.#byLine.get(this.resultOf(record.line) ?? record.line);
    this.#waits ??= new CallWaits(this.#account?.result().waits);
    return spanOfRecord(record, this.#dialect, known && (() => known), this.#waits);
  }
}

/** A time range in milliseconds since 1970. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** The time range of a span; undefined if it has no time. */
export function timeRangeOf({
  start,
  end,
  durationMs = 0,
}: Pick<Span, 'start' | 'end' | 'durationMs'>): TimeRange | undefined {
  const from = parseInstant(start);
  if (from === undefined) return undefined;
  return { from, to: Math.max(from, parseInstant(end) ?? from + durationMs) };
}

/** Each gap is at least a tenth of the whole, so there are at most ten. */
const MOST_GAPS = 10;
const SHARE_OF_GAP = 0.1;

/** The range of all spans, and long gaps without any. Spans are added in log order. */
export class Extent {
  #from = Infinity;
  #to = -Infinity;
  #gaps: TimeRange[] = [];

  add({ from, to }: TimeRange): void {
    if (from > this.#to && this.#to > -Infinity) this.#gap({ from: this.#to, to: from });
    this.#from = Math.min(this.#from, from);
    this.#to = Math.max(this.#to, to);
  }

  /** From the first to the last time; undefined if there is none. */
  get whole(): TimeRange | undefined {
    return this.#from <= this.#to ? { from: this.#from, to: this.#to } : undefined;
  }

  /** The gaps that are long compared with the whole, in order. */
  get gaps(): readonly TimeRange[] {
    const least = (this.#to - this.#from) * SHARE_OF_GAP;
    return this.#gaps.filter(({ from, to }) => to - from >= least).sort((a, b) => a.from - b.from);
  }

  #gap(gap: TimeRange): void {
    this.#gaps.push(gap);
    if (this.#gaps.length <= MOST_GAPS) return;
    this.#gaps.sort((a, b) => b.to - b.from - (a.to - a.from));
    this.#gaps.length = MOST_GAPS;
  }
}
