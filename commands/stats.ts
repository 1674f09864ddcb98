import { basename } from 'node:path';
import { type Command, Option } from 'commander';
import { defined } from '../src/base/json/defined.ts';
import { DAY_MS, parseInstant } from '../src/base/time/instant.ts';
import { action, type Context, type GlobalOptions } from '../src/cli/context.ts';
import { sayTimes, withTimes } from '../src/cli/events/event-options.ts';
import { nameAmong, namedRun } from '../src/cli/events/events-of-many.ts';
import { Failed } from '../src/cli/failure.ts';
import { withExamples } from '../src/cli/help/examples.ts';
import type { Io } from '../src/cli/io.ts';
import { instantOfOption } from '../src/cli/option-values.ts';
import { ActiveTimes } from '../src/cli/targets/active-times.ts';
import { ChangedRuns } from '../src/cli/targets/changed-runs.ts';
import { targetsOf } from '../src/cli/targets/find-targets.ts';
import { otherDialect } from '../src/cli/targets/open-log.ts';
import { eachEpisode } from '../src/cli/targets/packed.ts';
import { type PartialOptions, SkippedReports, withPartial } from '../src/cli/targets/partial.ts';
import { writtenSince } from '../src/cli/targets/recent.ts';
import {
  FAILED_RUNS,
  type FilteredRun,
  passes,
  type RunFilter,
  type RunFilterOptions,
  runFilters,
  whyNone,
  withFailedRuns,
  withRunFilters,
} from '../src/cli/targets/run-filters.ts';
import { TargetFailures } from '../src/cli/targets/target-failures.ts';
import {
  ALL_RUNS,
  type ManyTargetsOptions,
  streamOption,
  withManyTargets,
} from '../src/cli/targets/target-options.ts';
import type { Dialect } from '../src/dialects/dialect.ts';
import type { Account, AccountBuilder } from '../src/dialects/kit/account.ts';
import { linesLeftOut } from '../src/dialects/kit/lines-left-out.ts';
import { runOfRecord } from '../src/dialects/kit/record-filters.ts';
import { dialectOf } from '../src/dialects/kit/sample.ts';
import { dayOf, NO_TOKENS } from '../src/dialects/kit/tokens.ts';
import { partName } from '../src/dialects/registry.ts';
import { isNamedAsCopy } from '../src/dialects/sessions/kit/copy-name.ts';
import { isFailedCall, type SessionCall, type UsageEntry } from '../src/dialects/sessions/kit/session.ts';
import { findPrices } from '../src/find/prices.ts';
import { projectOf, summarizeAll } from '../src/find/summary.ts';
import { targetNames } from '../src/find/target-names.ts';
import type { VerifyTarget } from '../src/findings/options.ts';
import { CorruptLines } from '../src/log/corrupt-lines.ts';
import type { LogRecord } from '../src/log/record.ts';
import type { Row } from '../src/log/row.ts';
import { readUntilCorrupt } from '../src/log/until-corrupt.ts';
import { joinedTime } from '../src/read/describe/further-logs.ts';
import { type CountedCall, type FailedCall, RunFold } from '../src/read/describe/run-fold.ts';
import { GROUPINGS, type Grouping, type PartResult } from '../src/read/describe/run-groups.ts';
import { StatsFold } from '../src/read/describe/stats.ts';
import { escapeText } from '../src/show/render/escape.ts';

export function addStats(program: Command, io: Io): void {
  const command = withExamples(
    program.command('stats'),
    ['stats', 'all runs under the root'],
    ['stats --since 7d --by tool', 'what failed this week, and why'],
    ['stats runs/ -j', 'the runs below a folder, as JSON'],
  )
    .description('summarise runs: results, durations, failures, tokens')
    .argument('[target...]', ALL_RUNS);
  command
    .addOption(streamOption())
    .addOption(new Option('--by <what>', 'count calls, failures and tokens by this').choices(GROUPINGS));
  withTimes(withFailedRuns(withRunFilters(command, 'count'), 'count'), 'count only events');
  withPartial(withManyTargets(command)).action(action(io, runStats));
}

interface StatsOptions extends GlobalOptions, ManyTargetsOptions, PartialOptions, RunFilterOptions {
  readonly by?: Grouping;
  readonly failed?: boolean;
  readonly since?: string;
  readonly until?: string;
}

/** Which runs and events to count. */
interface Counted {
  readonly partial: boolean;
  /** Milliseconds since 1970. */
  readonly since: number | undefined;
  readonly by: Grouping | undefined;
  /** Which runs to count. */
  readonly filters: readonly RunFilter[];
  /** The runs that `--changed` takes. */
  readonly changed: ChangedRuns;
  /** All runs. */
  readonly held: FilteredRun[];
  /** Whether a record is in the requested time range. */
  readonly isIn: (record: LogRecord, dialect: Dialect) => boolean;
  /**
   * Whether a call or an answer is in the period. Logs add up tokens by day, so answers count by day; those without a day
   * are in every period.
   */
  readonly isUsed: (entry: UsageEntry) => boolean;
  /** With a time range, runs without a record in it do not count. */
  readonly isLimited: boolean;
  /** With a time range: when the records are of. */
  readonly times: ActiveTimes;
}

function countedBy(context: Context, options: StatsOptions): Counted {
  const { io } = context;
  const now = io.now();
  const [since, until] = [instantOfOption(options.since, now), instantOfOption(options.until, now)];
  const isLimited = since !== undefined || until !== undefined;
  const times = new ActiveTimes();
  const isAt = (at: number | undefined) => at !== undefined && at >= (since ?? at) && at <= (until ?? at);
  const isOn = (day: string) => {
    const start = Date.parse(day);
    return start <= (until ?? start) && start + DAY_MS > (since ?? start);
  };
  return {
    partial: options.partial ?? false,
    since,
    by: options.by,
    filters: [...runFilters(options, io), ...(options.failed ? [FAILED_RUNS] : [])],
    changed: new ChangedRuns(context, options),
    held: [],
    isLimited,
    times,
    isIn: (record, { view }) => {
      if (!isLimited) return true;
      const at = parseInstant(view.time(record));
      if (at !== undefined) times.add({ start: at, end: at });
      return isAt(at);
    },
    isUsed: ({ call, time, day }) =>
      call ? !isLimited || isAt(parseInstant(time)) : day === undefined || isOn(day),
  };
}

/** The statistics of one run. */
interface Lane {
  readonly fold: RunFold;
  readonly account: AccountBuilder | undefined;
}

/** The statistics that count each record: one for a log, or one per run. */
async function lanesOf(
  dialect: Dialect,
  log: string,
  run: string | undefined,
  withCalls: boolean,
): Promise<[lanes: readonly Lane[], laneOf: (record: LogRecord) => Lane | undefined]> {
  const laneFor = async (id?: string): Promise<Lane> => ({
    fold: new RunFold(dialect, withCalls),
    account: await dialect.account?.(id, 'statistics'),
  });
  const ids =
    run === undefined ? ((await dialect.runs?.(log, dialect.form)) ?? []).map(({ id }) => id) : [run];
  const runOf = runOfRecord(dialect);
  if (ids.length === 0 || runOf === undefined) {
    const lane = await laneFor();
    return [[lane], () => lane];
  }
  const lanes = new Map<string | undefined, Lane>();
  for (const id of ids) lanes.set(id, await laneFor(id));
  return [[...lanes.values()], (record) => lanes.get(runOf(record))];
}

/** The models that answered. */
const modelsOf = (usage: readonly UsageEntry[]): readonly string[] => [
  ...new Set(usage.flatMap(({ tool, model }) => (tool === undefined ? [model] : []))),
];

/** How a call failed, if it did. */
function failureOf({ status }: SessionCall): FailedCall | undefined {
  if (!isFailedCall({ status })) return undefined;
  if (status === 'interrupted' || status === 'no result') return status;
  return status === 'denied' ? 'refused' : 'failed';
}

/** The calls among entries of a log. */
const callsOf = (usage: readonly UsageEntry[]): CountedCall[] =>
  usage.flatMap((entry) => {
    const { key: id, call, time } = entry;
    if (call === undefined) return [];
    const { tool, duration_ms: durationMs, line } = call;
    return [{ entry, tool, id, durationMs, day: dayOf(time), failed: failureOf(call), line }];
  });

/** The answers and calls of a log in the period. A log without any calls is not that of a session. */
function usedIn(all: readonly UsageEntry[], isUsed: Counted['isUsed']): Pick<PartResult, 'usage' | 'calls'> {
  const usage = all.filter(isUsed);
  return { usage, calls: all.some(({ call }) => call) ? callsOf(usage) : undefined };
}

/** A log that was read. */
interface CountedLog {
  readonly path: string;
  readonly dialect: Dialect;
  readonly corrupt: CorruptLines;
}

interface CountedPart extends PartResult, CountedLog {}

/** What the logs of the parts of a run contain. */
async function partsOfRun(
  dialect: Dialect,
  parts: readonly string[],
  { by, partial, isIn, isUsed }: Counted,
): Promise<CountedPart[]> {
  const found: CountedPart[] = [];
  for (const path of parts) {
    const fold = new RunFold(dialect, by !== undefined);
    const account = await dialect.account?.(undefined, 'statistics');
    const visitor = {
      row({ record }: Row) {
        fold.add(record, isIn(record, dialect));
        account?.add(record);
      },
      lost: (line: number) => account?.lost?.(line),
    };
    const corrupt = new CorruptLines(partial);
    await readUntilCorrupt(path, dialect.form, visitor, corrupt);
    const result = account?.result();
    const { usage = [], is_part } = result ?? {};
    const lost = corrupt.lines.length + (await linesLeftOut(path));
    found.push({
      path,
      dialect,
      corrupt,
      episode: partName(path),
      fold,
      ...usedIn(usage, isUsed),
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
 * Counts the runs of a log, with those of its parts, and returns these logs with their corrupt lines. If one of them is
 * corrupt, counts nothing, unless corrupt lines are skipped.
 */
async function count(
  context: Context,
  target: VerifyTarget,
  { name, shown }: { readonly name: string; readonly shown: (path: string) => string },
  into: StatsFold,
  counted: Counted,
): Promise<readonly CountedLog[]> {
  const { log, fileName, run, parts = [] } = target;
  const { partial, by, filters, changed, held, isIn, isUsed, isLimited } = counted;
  const corrupt = new CorruptLines(partial);
  if (log === undefined) return [];
  const dialect = await dialectOf(log, fileName ?? basename(log), context.dialect, shown(log));
  const other = otherDialect(context, log, shown(log));
  if (other !== undefined) throw other;
  const [lanes, laneOf] = await lanesOf(dialect, log, run, by !== undefined);
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
  await readUntilCorrupt(log, dialect.form, visitor, corrupt);
  const others = await partsOfRun(dialect, parts, counted);
  const logs = [{ path: log, dialect, corrupt }, ...others];
  if (logs.some((one) => one.corrupt.ending !== undefined)) return logs;
  const missing = (corrupt.skipped?.count ?? 0) + (lanes.length > 1 ? 0 : await linesLeftOut(log));
  let isChanged: Promise<boolean> | undefined;
  for (const { fold, account } of lanes) {
    const result = resultOfRun(fold, account?.result(), others);
    const project = projectOf(result?.cwd);
    const usage = result?.usage ?? [];
    const [model, ...models] = modelsOf(usage);
    const byModel = Object.fromEntries(models.map((one) => [one, NO_TOKENS]));
    const status = result?.status;
    const tone = status === undefined ? undefined : dialect.statusTone?.(status);
    const asked: FilteredRun = {
      ...defined({ status, tone, project, cwd: result?.cwd, model }),
      path: log,
      tokens_by_model: byModel,
    };
    held.push(asked);
    if (!passes(filters)(asked)) continue;
    isChanged ??= changed.takesLogOf(target, shown);
    if (!(await isChanged)) continue;
    if (isLimited) into.leaveOut(fold);
    if (isLimited && fold.events === 0) continue;
    const facts = { episode: name, project, dialect: dialect.name };
    const lost = missing > 0 && {
      lost_lines: missing,
      ...(lanes.length > 1 && { sharedLog: log }),
    };
    into.add(fold, result && { ...result, ...usedIn(usage, isUsed), others, ...lost }, facts);
  }
  return logs;
}

/** Leaves out repaired copies that nobody has continued: what they contain is in the sessions they were made from. */
async function withoutCopies(
  context: Context,
  targets: readonly VerifyTarget[],
): Promise<readonly VerifyTarget[]> {
  if (!targets.some(({ log }) => log !== undefined && isNamedAsCopy(log))) return targets;
  const { unchangedCopy } = await import('../src/dialects/sessions/kit/repaired-copy.ts');
  const names = new Set(targets.map(({ log = '' }) => basename(log)));
  const kept = targets.filter(({ log = '' }) => !names.has(unchangedCopy(log)?.source.name ?? '/'));
  const count = targets.length - kept.length;
  if (count === 0 || kept.length === 0) return targets;
  const which = count === 1 ? '1 repaired copy of a session' : `${count} repaired copies of sessions`;
  await context.say(`left out ${which}, which nobody has continued`);
  return kept;
}

/** Whether the filters may choose a damaged log, which is not counted: as `list` shows it. */
async function isAskedFor(
  target: VerifyTarget,
  shown: (path: string) => string,
  { filters, changed }: Counted,
): Promise<boolean> {
  const { name, dir, log, run, parts } = target;
  if (log === undefined) return true;
  const runs = filters.length === 0 ? [] : await summarizeAll({ name, dir, log, ...defined({ run, parts }) });
  return (filters.length === 0 || runs.some(passes(filters))) && changed.takesLogOf(target, shown);
}

/** Why the filters of runs take none. Trace text, not escaped. */
function whyNoRun({ filters, changed, held }: Counted): readonly string[] {
  const reasons = whyNone(filters, held);
  return reasons.length > 0 ? reasons : changed.whyNone(filters, held);
}

/** Reports and skips a corrupt or unreadable log. The exit code then shows that something was left out. */
async function runStats(context: Context, names: readonly string[], options: StatsOptions): Promise<void> {
  await context.believeKnown();
  await using found = await targetsOf(context, names, options);
  const targets = await withoutCopies(context, found.targets);
  await sayTimes(context, options);
  const prices = await findPrices(context.search);
  const fold = new StatsFold(options.by);
  const nameOf = nameAmong(context, targets);
  const counted = countedBy(context, options);
  const failures = new TargetFailures(context, targets);
  const skippedReports = new SkippedReports(context);
  const open = { ...found, targets: writtenSince(targets, counted.since) };
  for await (const { target, shown } of eachEpisode(context, open, failures)) {
    const label = context.shortPath(shown(target.log ?? target.name));
    try {
      const named = { name: shown(nameOf(target)), shown };
      const logs = await count(context, target, named, fold, counted);
      const isLeftOut = logs.some(({ corrupt }) => corrupt.ending !== undefined);
      if (isLeftOut && !(await isAskedFor(target, shown, counted))) continue;
      for (const one of logs) {
        const { ending, skipped } = one.corrupt;
        const name = context.shortPath(shown(one.path));
        if (skipped) await skippedReports.say(name, skipped, one);
        if (ending) await failures.sayCorrupt(name, ending, true);
      }
    } catch (error) {
      await failures.take(error, label);
    }
  }
  await skippedReports.end();
  const statistics = fold.result(await prices(fold.models));
  const reasons = whyNoRun(counted);
  await counted.changed.say();
  for (const reason of reasons) await context.say(escapeText(reason));
  const { isLimited, since, times } = counted;
  if (isLimited && statistics.episodes === 0 && reasons.length === 0) {
    await times.addUnread(context, targets, since);
    await context.say(times.whyNone('local'));
  }
  if (context.json) await context.printJson({ ...statistics, configuration: await context.configuration() });
  else {
    const { statsView } = await import('../src/show/render/stats-view.ts');
    // A log of a subagent has the name that commands accept.
    const names = await targetNames(targets.map(namedRun), context.search);
    const short = new Map(targets.map((target) => [nameOf(target), names(namedRun(target)).brief] as const));
    await context.showView(
      statsView(statistics, {
        by: options.by,
        nameOf: (name) => short.get(name) ?? name,
        leftOut: { damaged: failures.damaged, others: failures.count - failures.damaged },
      }),
    );
  }
  await failures.sayLeftOut();
  const isNothing =
    (isLimited || counted.filters.length > 0 || counted.changed.wanted !== undefined) &&
    statistics.episodes === 0;
  if (skippedReports.hasAny || failures.count > 0 || isNothing) throw new Failed();
}
