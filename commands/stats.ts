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
import { dialectOf } from '../src/dialects/kit/sample.ts';
import { NO_TOKENS } from '../src/dialects/kit/tokens.ts';
import { folderOfRun } from '../src/dialects/resume.ts';
import { isNamedAsCopy } from '../src/dialects/sessions/kit/copy-name.ts';
import type { UsageEntry } from '../src/dialects/sessions/kit/session.ts';
import { findPrices } from '../src/find/prices.ts';
import { projectOf, summarizeAll } from '../src/find/summary.ts';
import { targetNames } from '../src/find/target-names.ts';
import type { VerifyTarget } from '../src/findings/options.ts';
import { type CountedLog, type CountingOptions, countedRuns } from '../src/read/describe/counted-runs.ts';
import { GROUPINGS, type Grouping } from '../src/read/describe/run-groups.ts';
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
interface Counted extends CountingOptions {
  /** Milliseconds since 1970. */
  readonly since: number | undefined;
  /** Which runs to count. */
  readonly filters: readonly RunFilter[];
  /** The runs that `--changed` takes. */
  readonly changed: ChangedRuns;
  /** All runs. */
  readonly held: FilteredRun[];
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
    withCalls: options.by !== undefined,
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
    // Logs add up tokens by day, so answers count by day; those without a day are in every period.
    isUsed: ({ call, time, day }) =>
      call ? !isLimited || isAt(parseInstant(time)) : day === undefined || isOn(day),
  };
}

/** The models that answered. */
const modelsOf = (usage: readonly UsageEntry[]): readonly string[] => [
  ...new Set(usage.flatMap(({ tool, model }) => (tool === undefined ? [model] : []))),
];

/**
 * Counts the runs of a log that the filters take, and returns the logs that were read for them. If one of these is damaged,
 * no run counts, unless damaged lines are skipped.
 */
async function count(
  context: Context,
  target: VerifyTarget,
  { name, shown }: { readonly name: string; readonly shown: (path: string) => string },
  into: StatsFold,
  counted: Counted,
): Promise<readonly CountedLog[]> {
  const { log, place, fileName, run, parts = [] } = target;
  const { filters, changed, held, isLimited } = counted;
  if (log === undefined) return [];
  const dialect = await dialectOf(log, fileName ?? basename(log), context.dialect, shown(log));
  const other = otherDialect(context, log, shown(log));
  if (other !== undefined) throw other;
  const { logs, runs } = await countedRuns({ path: log, dialect, run, parts }, counted);
  let isChanged: Promise<boolean> | undefined;
  for (const { fold, account, result } of runs) {
    const cwd = folderOfRun(dialect, { path: log, place }, account?.cwd);
    const project = projectOf(cwd);
    const [model, ...models] = modelsOf(account?.usage ?? []);
    const byModel = Object.fromEntries(models.map((one) => [one, NO_TOKENS]));
    const status = account?.status;
    const tone = status === undefined ? undefined : dialect.statusTone?.(status);
    const asked: FilteredRun = {
      ...defined({ status, tone, project, cwd, model }),
      path: shown(log),
      dialect: dialect.name,
      tokens_by_model: byModel,
    };
    held.push(asked);
    if (!passes(filters)(asked)) continue;
    isChanged ??= changed.takesLogOf(target, shown);
    if (!(await isChanged)) continue;
    if (isLimited) into.leaveOut(fold);
    if (isLimited && fold.events === 0) continue;
    into.add(fold, result, { episode: name, project, dialect: dialect.name });
  }
  return logs;
}

/** Leaves out repaired copies that nobody has continued: what they contain is in the sessions they were made from. */
async function withoutCopies(
  context: Context,
  targets: readonly VerifyTarget[],
): Promise<{ readonly targets: readonly VerifyTarget[]; readonly copies: number }> {
  if (!targets.some(({ log }) => log !== undefined && isNamedAsCopy(log))) return { targets, copies: 0 };
  const { unchangedCopy } = await import('../src/dialects/sessions/kit/repaired-copy.ts');
  const names = new Set(targets.map(({ log = '' }) => basename(log)));
  const kept = targets.filter(({ log = '' }) => !names.has(unchangedCopy(log)?.source.name ?? '/'));
  const copies = targets.length - kept.length;
  if (copies === 0 || kept.length === 0) return { targets, copies: 0 };
  const which = copies === 1 ? '1 repaired copy of a session' : `${copies} repaired copies of sessions`;
  await context.say(`left out ${which}, which nobody has continued`);
  return { targets: kept, copies };
}

/** Whether the filters may choose a damaged log, which is not counted: as `list` shows it. */
async function isAskedFor(
  target: VerifyTarget,
  shown: (path: string) => string,
  { filters, changed }: Counted,
): Promise<boolean> {
  const { name, dir, log, place, run, parts } = target;
  if (log === undefined) return true;
  const runs =
    filters.length === 0 ? [] : await summarizeAll({ name, dir, log, ...defined({ run, place, parts }) });
  const named = runs.map((one) => ({ ...one, path: shown(one.path) }));
  return (filters.length === 0 || named.some(passes(filters))) && changed.takesLogOf(target, shown);
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
  const { targets, copies } = await withoutCopies(context, found.targets);
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
        if (skipped) await skippedReports.take(name, skipped, one);
        if (ending) await failures.takeCorrupt(name, ending, true);
      }
    } catch (error) {
      await failures.take(error, label);
    }
  }
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
        leftOut: { damaged: failures.damaged, others: failures.count - failures.damaged, copies },
      }),
    );
  }
  await skippedReports.end();
  // The table says how many logs are left out.
  await failures.sayCorrupt();
  const isNothing =
    (isLimited || counted.filters.length > 0 || counted.changed.wanted !== undefined) &&
    statistics.episodes === 0;
  if (skippedReports.hasAny || failures.count > 0 || isNothing) throw new Failed();
}
