import { byText } from '../../base/text/order.ts';
import { parseInstant } from '../../base/time/instant.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import { NOT_YET, placeOf } from '../../dialects/kit/account.ts';
import { dayOf } from '../../dialects/kit/tokens.ts';
import type { CallFailure, UsageEntry } from '../../dialects/sessions/kit/session.ts';
import { GrowingNumbers } from '../../log/growing-numbers.ts';
import type { LogRecord } from '../../log/record.ts';
import { FailuresInOrder, RunTime, type SpanOf, spansInOrder } from './span.ts';

/** The number of occurrences, and their durations in milliseconds if known. */
export interface Durations {
  readonly count: number;
  /** Of these, the ones whose duration is unknown, if others have one. */
  readonly untimed?: number;
  readonly p50?: number;
  readonly p95?: number;
  readonly max?: number;
}

/** A failure and its frequency: what failed and why, with ids and numbers replaced. */
export interface FailureStatistics {
  /** A tool, type or step. */
  readonly name: string;
  readonly reason: string;
  /** The reason of the last one, as the log has it. */
  readonly message?: string;
  /** The input of the last one, if it is a call of a tool; shortened. */
  readonly input?: string;
  readonly count: number;
  /** The last episode with this failure. */
  readonly episode?: string;
  /** The line of the call or event, and that of the result of a call. */
  readonly line: number;
  readonly resultLine?: number;
}

/** Collects numbers for exact quantiles, 8 bytes each. */
export class Numbers {
  readonly #values = new GrowingNumbers(Float64Array);

  add(value: number): void {
    this.#values.add(value);
  }

  take(other: Numbers): void {
    for (const value of other.#values.all) this.add(value);
  }

  /** Uses the nearest rank, so each quantile is one of the numbers. */
  quantiles(count: number): Durations {
    const sorted = this.#values.all.sort();
    if (sorted.length === 0) return { count };
    const at = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] as number;
    const untimed = count - sorted.length;
    return { count, ...(untimed > 0 && { untimed }), p50: at(0.5), p95: at(0.95), max: at(1) };
  }
}

export class Timed {
  readonly #byName = new Map<string, { count: number; readonly durations: Numbers }>();

  add(name: string, durationMs: number | undefined): void {
    const entry = this.#entry(name);
    entry.count += 1;
    if (durationMs !== undefined) entry.durations.add(durationMs);
  }

  take(other: Timed): void {
    for (const [name, { count, durations }] of other.#byName) {
      const entry = this.#entry(name);
      entry.count += count;
      entry.durations.take(durations);
    }
  }

  result(): Record<string, Durations> {
    const entries = [...this.#byName].sort(([a, x], [b, y]) => y.count - x.count || byText(a, b));
    return Object.fromEntries(
      entries.map(([name, { count, durations }]) => [name, durations.quantiles(count)]),
    );
  }

  #entry(name: string): { count: number; readonly durations: Numbers } {
    let entry = this.#byName.get(name);
    if (entry === undefined) {
      entry = { count: 0, durations: new Numbers() };
      this.#byName.set(name, entry);
    }
    return entry;
  }
}

export class Counter {
  readonly #byName = new Map<string, number>();

  add(name: string, count = 1): void {
    this.#byName.set(name, (this.#byName.get(name) ?? 0) + count);
  }

  take(other: Counter): void {
    for (const [name, count] of other.#byName) this.add(name, count);
  }

  /** Sorted by frequency, or by name. */
  result(byName = false): Record<string, number> {
    const entries = [...this.#byName].sort(([a, n], [b, m]) => (byName ? 0 : m - n) || byText(a, b));
    return Object.fromEntries(entries);
  }
}

const LONGEST_REASON = 500;

/** Replaces ids, hashes and numbers in a message with `#`, so that equal failures match. */
export function folded(message: string): string {
  return message
    .trim()
    .slice(0, LONGEST_REASON)
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '#')
    .replace(/\b(?=[0-9a-f]*\d)[0-9a-f]{8,}\b/gi, '#')
    .replace(/\d+(?:[.,:]\d+)*/g, '#');
}

/** A failure that another log may contain too, if that is a copy. */
export interface CopiedFailure {
  readonly failure: FailureStatistics;
  /** In milliseconds since 1970, if its record has a time. */
  readonly at?: number | undefined;
  /** The whole reason, if something was refused. */
  readonly refusal?: string;
  /** Equal in copies of the same record. A call is recognised by its line instead. */
  readonly key?: string | undefined;
}

/** A call of a tool, for statistics. */
export interface CountedCall {
  /** What the log of a session says about it. The same object is among the usage of the run. */
  readonly entry?: UsageEntry;
  readonly tool: string;
  readonly id?: string | undefined;
  readonly durationMs?: number | undefined;
  /** In UTC, if its result has a time. */
  readonly day?: string | undefined;
  /** How it failed, if it did. */
  readonly failed?: CallFailure | undefined;
  readonly line: number;
}

export class FailureFold {
  readonly #byText = new Map<string, { readonly failure: FailureStatistics; readonly at: number }>();

  /** `at`: in milliseconds since 1970. Runs come in any order; without times, the last that was added counts as the last one. */
  add(failure: FailureStatistics, at = -Infinity): void {
    const key = `${failure.name}\n${failure.reason}`;
    const known = this.#byText.get(key);
    const count = (known?.failure.count ?? 0) + failure.count;
    const last = known !== undefined && known.at > at ? known : { failure, at };
    this.#byText.set(key, { failure: { ...last.failure, count }, at: last.at });
  }

  take(other: FailureFold, episode?: string): void {
    for (const { failure, at } of other.#byText.values())
      this.add({ ...failure, ...(episode !== undefined && { episode }) }, at);
  }

  result(): FailureStatistics[] {
    const all = [...this.#byText.values()].map(({ failure }) => failure);
    return all.sort((a, b) => b.count - a.count || byText(a.reason, b.reason));
  }
}

/** Adds up the events of one run. Dropped if the log turns out to be corrupt. */
export class RunFold {
  events = 0;
  readonly time = new RunTime();
  readonly phases = new Timed();
  /** By type or step, without the calls of tools. */
  readonly names = new Timed();
  /** The calls that have a span, by tool. */
  readonly tools = new Timed();
  readonly vetoes = new Counter();
  readonly failures = new Counter();
  readonly failed = new FailureFold();
  readonly refused = new FailureFold();
  /** The failures of a session, which are in none of the folds above. */
  readonly ofSession: CopiedFailure[] = [];
  /** Some event has a time. */
  isDated = false;
  /** Calls without a time that were left out. */
  undatedCalls = 0;
  /** The calls of tools, if they will be grouped. */
  readonly calls: CountedCall[] | undefined;
  readonly #dialect: Dialect;
  readonly #spanOf: SpanOf;
  readonly #failures = new FailuresInOrder();
  /** The calls without a result so far, by line. */
  readonly #open = new Map<number, CountedCall>();

  constructor(dialect: Dialect, withCalls = false) {
    this.#dialect = dialect;
    this.#spanOf = spansInOrder(dialect);
    this.calls = withCalls ? [] : undefined;
  }

  /** `counts`: false for a record that only links a later result to its call. */
  add(record: LogRecord, counts = true): void {
    const { view, endTime, isEnd } = this.#dialect;
    const span = this.#spanOf(record.value, record.line);
    const { name, durationMs, status, operation, copied } = span;
    const time = view.time(record);
    const day = dayOf(time);
    if (day !== undefined) this.isDated = true;
    if (span.callLine !== undefined) this.#open.delete(span.callLine);
    if (!counts) {
      if (day === undefined && operation?.kind === 'tool') this.undatedCalls += 1;
      return;
    }
    this.events += 1;
    this.time.add(time, span, endTime?.(record.value), isEnd?.(record.value));
    const failed = status === 'error' ? 'failed' : status === 'veto' ? 'refused' : undefined;
    const call: CountedCall | false = operation?.kind === 'tool' && {
      tool: operation.tool,
      id: operation.callId,
      durationMs,
      day,
      failed,
      line: record.line,
    };
    if (span.spanLine !== undefined) {
      if (call && !copied && span.spanLine === NOT_YET) this.#open.set(record.line, call);
      return;
    }
    // What was copied from another session counts there.
    if (call && !copied) this.calls?.push(call);
    const phase = view.phase?.(record);
    const label = name === '' ? (view.type(record) ?? 'event') : name;
    // The time until the result of a session's call may be a person's. Its own time is that of the tool.
    const ofCall = call && this.#dialect.storesMuch;
    if (phase !== undefined) this.phases.add(phase, ofCall ? undefined : durationMs);
    if (call) this.tools.add(call.tool, durationMs);
    else if (label !== phase && !span.isSum) this.names.add(label, durationMs);
    const failure = this.#failures.next(span);
    if (failure === undefined) return;
    const { isRefusal, reason } = failure;
    const why = folded(reason);
    const one: FailureStatistics = {
      name: call ? call.tool : label,
      reason: why,
      message: reason.trim().slice(0, LONGEST_REASON),
      ...(operation?.kind === 'tool' && operation.input && { input: operation.input }),
      count: 1,
      ...placeOf(span, record.line),
    };
    if (this.#dialect.storesMuch) {
      const id = call ? undefined : view.id(record);
      const key = id === undefined ? undefined : `${this.#dialect.name} ${id} ${time}`;
      this.ofSession.push({
        failure: one,
        at: parseInstant(time),
        ...(isRefusal && { refusal: reason }),
        key,
      });
      return;
    }
    if (isRefusal) this.vetoes.add(reason);
    else this.failures.add(why);
    (isRefusal ? this.refused : this.failed).add(one, parseInstant(time));
  }

  /** Counts the calls that got no result. Call it after the last record. */
  end(): void {
    for (const call of this.#open.values()) {
      this.calls?.push(call);
      this.tools.add(call.tool, undefined);
    }
    this.#open.clear();
  }
}
