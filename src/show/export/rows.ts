import { parseInstant } from '../../base/time/instant.ts';
import { runOfRecord } from '../../dialects/kit/record-filters.ts';
import type { Tokens } from '../../dialects/kit/tokens.ts';
import type { Finding } from '../../findings/finding.ts';
import { type EpisodeReport, severityCounts } from '../../findings/report.ts';
import { damagedSince, readLog, requireUnchanged } from '../../log/read.ts';
import { CallWaits } from '../../read/describe/call-waits.ts';
import { spanMaker } from '../../read/describe/spans.ts';
import type { ExportLog, ExportRun } from './runs.ts';
import type { Row } from './tables.ts';

/** Milliseconds with a fraction as whole microseconds, which are below 2^53 for all realistic times. */
export const microsOf = (ms: number | undefined): bigint | undefined =>
  ms === undefined ? undefined : BigInt(Math.round(ms * 1000));

/** Receives rows. Its result is awaited before more rows are read. */
type TakeRow = (row: Row) => void;

/** Tokens in the order of the columns. */
const tokenCells = (tokens: Tokens | undefined): Row =>
  (['input', 'cached', 'cache_write', 'output', 'reasoning'] as const).map((name) => tokens?.[name]);

/** Yields the rows of a log's events in order. Awaits `between` every mebibyte or so. */
export async function eventRows(
  { episode, log, dialect, runs, target }: ExportLog,
  take: TakeRow,
  between: () => Promise<void>,
): Promise<void> {
  const { view } = dialect;
  const spanOf = spanMaker(dialect, new CallWaits(runs[0]?.account.account?.waits));
  const runOf = runOfRecord(dialect);
  const starts = new Map(runs.map(({ run, account }) => [run, microsOf(account.start)]));
  const wanted = target.run;
  const extent = await readLog(log, dialect.form, {
    record(record) {
      const run = runOf?.(record);
      if (wanted !== undefined && run !== wanted) return;
      const { line, id, parent, name, phase, start, durationMs, status, copied = false } = spanOf(record);
      const time = microsOf(parseInstant(start));
      const first = starts.get(run) ?? starts.get(undefined);
      take([
        episode,
        run,
        line,
        record.byteStart,
        record.byteEnd,
        dialect.name,
        view.type(record),
        phase,
        view.agent(record),
        name,
        time,
        time === undefined || first === undefined ? undefined : Number(time - first) / 1000,
        durationMs,
        id,
        parent,
        status,
        Uint8Array.from(record.printedBytes),
        copied,
      ]);
    },
    corrupt: () => {
      throw damagedSince(log);
    },
    between: () => between().then(() => undefined),
  });
  requireUnchanged(log, extent);
}

export function episodeRow(
  { episode, run, account }: ExportRun,
  report: EpisodeReport,
  dialect: string,
): Row {
  const { start, end, events, bytes, account: runAccount } = account;
  const { error, warn } = severityCounts(report);
  return [
    episode,
    run,
    report.path,
    dialect,
    runAccount?.task,
    runAccount?.status ?? 'unknown',
    microsOf(start),
    microsOf(end),
    start === undefined || end === undefined ? undefined : Math.round((end - start) * 1000) / 1000,
    events,
    bytes,
    report.sealed,
    report.verdict,
    error,
    warn,
    runAccount === undefined || runAccount.why.length === 0
      ? undefined
      : runAccount.why.map(({ kind, text }) => `${kind}: ${text}`).join('; '),
    ...tokenCells(account.usage?.tokens),
  ];
}

/** The row of an unreadable episode, made from its verification alone. */
export function unreadRow(report: EpisodeReport): Row {
  const { error, warn } = severityCounts(report);
  const { episode, path, dialect, events, bytes, sealed, verdict } = report;
  const head = [episode, undefined, path, dialect, undefined, 'unknown', undefined, undefined, undefined];
  return [...head, events, bytes, sealed, verdict, error, warn, undefined, ...tokenCells(undefined)];
}

export function findingRow(episode: string, finding: Finding): Row {
  const { code, severity, message, file, line, column, byteStart, byteEnd, eventId, path, expected, actual } =
    finding;
  const place = [file, line, column, byteStart, byteEnd];
  return [episode, code, severity, message, ...place, eventId, path, expected, actual];
}
