import { hash } from 'node:crypto';
import { parseInstant } from '../../base/time/instant.ts';
import { NOT_YET, type SpanOperation, type SpanStatus } from '../../dialects/kit/account.ts';
import { runOfRecord } from '../../dialects/kit/record-filters.ts';
import { damagedSince, readLog, requireUnchanged } from '../../log/read.ts';
import { CallWaits } from '../../read/describe/call-waits.ts';
import { spansInOrder } from '../../read/describe/span.ts';
import { microsOf } from './rows.ts';
import type { ExportLog, ExportRun } from './runs.ts';

/** An event to write to another tool's trace. Times are in microseconds since 1970. */
export interface TraceEvent {
  /** Of a call with records for its begin and its result: the line of its begin. */
  readonly line: number;
  readonly id: string | undefined;
  readonly cause: string | undefined;
  /** The line of the event that caused it, if it comes earlier. */
  readonly causeLine: number | undefined;
  readonly type: string | undefined;
  readonly phase: string | undefined;
  readonly agent: string | undefined;
  readonly name: string;
  /** The last known time if the event has none. */
  readonly start: bigint;
  readonly end: bigint;
  /** Of a call that waited for a person before it began to work: how long, in milliseconds. */
  readonly waitedMs: number | undefined;
  /** Whether the event itself has a time. */
  readonly timed: boolean;
  /** Whether it was copied from another session, where it counts. */
  readonly copied: boolean;
  readonly status: SpanStatus;
  readonly reason: string | undefined;
  readonly operation: SpanOperation | undefined;
  /** The stored record. */
  readonly record: string;
}

/** The ids of a run's trace. They depend on its name alone, so a second export gives the same trace. */
interface TraceIds {
  /** 32 hex digits. */
  readonly trace: string;
  /** 16 hex digits: for the run, and for the event on a line. */
  readonly root: string;
  ofLine(line: number): string;
}

const digits = (text: string, length: number): string => hash('sha256', text).slice(0, length);

export function traceIds(dialect: string, { episode, run }: ExportRun): TraceIds {
  const trace = digits(`trace\0${dialect}\0${episode}\0${run ?? ''}`, 32);
  return {
    trace,
    root: digits(`root\0${trace}`, 16),
    ofLine: (line) => digits(`line\0${trace}\0${line}`, 16),
  };
}

/** Passes on the events of a run in log order. Awaits `between` every mebibyte or so. */
export async function eachTraceEvent(
  { log, dialect }: ExportLog,
  { run, account }: ExportRun,
  take: (event: TraceEvent) => void,
  between: () => Promise<void>,
): Promise<void> {
  const { view } = dialect;
  const spanOf = spansInOrder(dialect);
  const waits = new CallWaits(account.account?.waits);
  const runOf = runOfRecord(dialect);
  let last = microsOf(account.start) ?? 0n;
  /** The lines of events by id. */
  const lines = new Map<string, number>();
  /** Calls without a result so far, by line. */
  const open = new Map<number, TraceEvent>();
  const extent = await readLog(log, dialect.form, {
    record(record) {
      if (run !== undefined && runOf?.(record) !== run) return;
      const span = spanOf(record.value, record.line);
      const type = view.type(record);
      const time = view.time(record);
      // The time of the copying is not that of the work.
      const isUntimed = span.copied && span.start === undefined;
      const own = isUntimed ? undefined : microsOf(parseInstant(span.start ?? time));
      const start = own ?? last;
      last = microsOf(parseInstant(time)) ?? start;
      // A duration in the event may come from another clock than its times.
      const clock = microsOf(span.durationMs) ?? 0n;
      const { durationMs, atLeastMs = durationMs, atMostMs, waitedMs } = waits.timesOf(span, record.line);
      const worked = microsOf(atMostMs ?? atLeastMs) ?? 0n;
      // A call that nobody was asked about was stopped before the record of its result.
      const took = waitedMs === undefined ? worked : clock;
      const id = view.id(record);
      const begun = open.get(span.callLine ?? NOT_YET);
      const line = begun?.line ?? (span.spanLine || record.line);
      const cause = view.cause?.(record);
      const causeLine = cause === undefined ? undefined : lines.get(cause);
      // A call that caused its result did not cause itself.
      const from = begun && (cause === undefined || causeLine === line) ? begun : { cause, causeLine };
      if (id !== undefined && !lines.has(id)) lines.set(id, line);
      const event: TraceEvent = {
        line,
        id,
        cause: from.cause,
        causeLine: from.causeLine,
        type,
        phase: view.phase?.(record),
        agent: view.agent(record),
        name: span.name === '' ? (type ?? 'event') : span.name,
        start: took > worked ? start + took - worked : start,
        end: took > 0n && !isUntimed ? start + took : start,
        waitedMs,
        timed: own !== undefined,
        copied: span.copied ?? false,
        status: span.status ?? 'ok',
        reason: span.reason,
        operation: span.operation,
        record: record.text,
      };
      if (span.spanLine === NOT_YET) open.set(line, { ...event, status: 'open' });
      else if (span.spanLine === undefined) {
        open.delete(line);
        take(event);
      }
    },
    corrupt: () => {
      throw damagedSince(log);
    },
    between: () => between().then(() => undefined),
  });
  for (const event of open.values()) take(event);
  requireUnchanged(log, extent);
}
