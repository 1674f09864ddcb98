import type { Dialect } from '../../dialects/dialect.ts';
import type { Account, AccountBuilder } from '../../dialects/kit/account.ts';
import { linesLeftOut } from '../../dialects/kit/lines-left-out.ts';
import { runOfRecord } from '../../dialects/kit/record-filters.ts';
import { dayOf } from '../../dialects/kit/tokens.ts';
import { partName } from '../../dialects/registry.ts';
import { failureOfCall, type UsageEntry } from '../../dialects/sessions/kit/session.ts';
import { CorruptLines } from '../../log/corrupt-lines.ts';
import type { LogRecord } from '../../log/record.ts';
import type { Row } from '../../log/row.ts';
import { readUntilCorrupt } from '../../log/until-corrupt.ts';
import { joinedTime } from './further-logs.ts';
import { type CountedCall, RunFold } from './run-fold.ts';
import type { PartResult, RunResult } from './run-groups.ts';

/** What of the runs in a log counts. */
export interface CountingOptions {
  /** Damaged lines are skipped; otherwise nothing of a damaged log counts. */
  readonly partial: boolean;
  /** The folds keep their calls, for statistics in groups. */
  readonly withCalls: boolean;
  /** Whether a record is in the period. */
  readonly isIn: (record: LogRecord, dialect: Dialect) => boolean;
  /** Whether a call or an answer is in the period. */
  readonly isUsed: (entry: UsageEntry) => boolean;
}

/** A log with its runs, and the logs of its parts. */
export interface CountedSource {
  readonly path: string;
  readonly dialect: Dialect;
  /** One run of a log with many. */
  readonly run?: string | undefined;
  readonly parts: readonly string[];
}

/** A log that was read. */
export interface CountedLog {
  readonly path: string;
  readonly dialect: Dialect;
  readonly corrupt: CorruptLines;
}

/** A run for statistics. */
export interface CountedRun {
  readonly fold: RunFold;
  /** What the whole run did. */
  readonly account: Account | undefined;
  /** What of it counts, with that of its parts. */
  readonly result: RunResult | undefined;
}

/** The statistics of one run. */
interface Lane {
  readonly fold: RunFold;
  readonly account: AccountBuilder | undefined;
}

const laneFor = async (dialect: Dialect, withCalls: boolean, run?: string): Promise<Lane> => ({
  fold: new RunFold(dialect, withCalls),
  account: await dialect.account?.(run, 'statistics'),
});

/** The statistics of a log, and which of them count a record. */
type Lanes = readonly [lanes: readonly Lane[], laneOf: (record: LogRecord) => Lane | undefined];

/** Each record counts in one lane. */
const oneLane = (lane: Lane): Lanes => [[lane], () => lane];

/** The statistics that count each record: one for a log, or one per run. */
async function lanesOf({ path, dialect, run }: CountedSource, withCalls: boolean): Promise<Lanes> {
  const ids =
    run === undefined ? ((await dialect.runs?.(path, dialect.form)) ?? []).map(({ id }) => id) : [run];
  const runOf = runOfRecord(dialect);
  if (ids.length === 0 || runOf === undefined) return oneLane(await laneFor(dialect, withCalls));
  const lanes = new Map<string | undefined, Lane>();
  for (const id of ids) lanes.set(id, await laneFor(dialect, withCalls, id));
  return [[...lanes.values()], (record) => lanes.get(runOf(record))];
}

/** Counts the records of a log, and returns its damaged lines. */
async function read(
  { path, dialect }: Pick<CountedSource, 'path' | 'dialect'>,
  [lanes, laneOf]: Lanes,
  { partial, isIn }: CountingOptions,
): Promise<CorruptLines> {
  const visitor = {
    row({ record }: Row) {
      const lane = laneOf(record);
      lane?.fold.add(record, isIn(record, dialect));
      lane?.account?.add(record);
    },
    lost(line: number) {
      for (const { account } of lanes) account?.lost?.(line);
    },
  };
  const corrupt = new CorruptLines(partial);
  await readUntilCorrupt(path, dialect.form, visitor, corrupt);
  return corrupt;
}

/** The calls among entries of a log. */
const callsOf = (usage: readonly UsageEntry[]): CountedCall[] =>
  usage.flatMap((entry) => {
    const { key: id, call, time } = entry;
    if (call === undefined) return [];
    const { tool, duration_ms: durationMs, line } = call;
    return [{ entry, tool, id, durationMs, day: dayOf(time), failed: failureOfCall(call.status), line }];
  });

/** The answers and calls of a log in the period. A log without any calls is not that of a session. */
function usedIn(
  all: readonly UsageEntry[],
  isUsed: CountingOptions['isUsed'],
): Pick<PartResult, 'usage' | 'calls'> {
  const usage = all.filter(isUsed);
  return { usage, calls: all.some(({ call }) => call) ? callsOf(usage) : undefined };
}

interface CountedPart extends PartResult, CountedLog {}

/** What the logs of the parts of a run contain. */
async function partsOfRun(
  dialect: Dialect,
  parts: readonly string[],
  options: CountingOptions,
): Promise<CountedPart[]> {
  const found: CountedPart[] = [];
  for (const path of parts) {
    const lane = await laneFor(dialect, options.withCalls);
    const corrupt = await read({ path, dialect }, oneLane(lane), options);
    const { fold, account } = lane;
    const result = account?.result();
    const { usage = [], is_part } = result ?? {};
    const lost = corrupt.lines.length + (await linesLeftOut(path));
    found.push({
      path,
      dialect,
      corrupt,
      episode: partName(path),
      fold,
      ...usedIn(usage, options.isUsed),
      result,
      ...(is_part && { is_part }),
      ...(lost > 0 && { lost_lines: lost }),
    });
  }
  return found;
}

/** The result of a run: its last log says how it ended, and its time is that of all its logs. */
function resultOfRun(
  fold: RunFold,
  first: Account | undefined,
  others: readonly PartResult[],
): Account | undefined {
  const further = others.filter(({ is_part }) => is_part);
  const last = further.at(-1)?.result;
  if (first === undefined || last === undefined) return first;
  const { status, tone, isOver } = last;
  const logs = [{ fold, result: first }, ...further];
  const time = joinedTime(
    logs.map(({ fold: { time }, result }) => ({
      time: result?.time,
      start: time.start,
      end: time.end,
      usage: result,
    })),
  );
  return { ...first, status, tone, isOver, ...(time && { time }) };
}

/**
 * Reads a log and those of its parts once, and says what counts of its runs. If one of the logs is damaged, no run counts,
 * unless damaged lines are skipped.
 */
export async function countedRuns(
  source: CountedSource,
  options: CountingOptions,
): Promise<{ readonly logs: readonly CountedLog[]; readonly runs: readonly CountedRun[] }> {
  const { path, dialect, parts } = source;
  const lanesOfLog = await lanesOf(source, options.withCalls);
  const [lanes] = lanesOfLog;
  const corrupt = await read(source, lanesOfLog, options);
  const others = await partsOfRun(dialect, parts, options);
  const logs = [{ path, dialect, corrupt }, ...others];
  if (logs.some((one) => one.corrupt.ending !== undefined)) return { logs, runs: [] };
  const isShared = lanes.length > 1;
  const missing = (corrupt.skipped?.count ?? 0) + (isShared ? 0 : await linesLeftOut(path));
  const lost = missing > 0 && { lost_lines: missing, ...(isShared && { sharedLog: path }) };
  const runs = lanes.map(({ fold, account: builder }): CountedRun => {
    const account = resultOfRun(fold, builder?.result(), others);
    const result = account && { ...account, ...usedIn(account.usage ?? [], options.isUsed), others, ...lost };
    return { fold, account, result };
  });
  return { logs, runs };
}
