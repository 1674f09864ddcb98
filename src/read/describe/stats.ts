import { defined } from '../../base/json/defined.ts';
import type { TimeOfRun } from '../../dialects/kit/account.ts';
import { modelsOf } from '../../dialects/kit/charges.ts';
import type { Cost, Prices } from '../../dialects/kit/prices.ts';
import { type Lacks, NO_TOKENS, type Tokens, totalTokens } from '../../dialects/kit/tokens.ts';
import {
  byUse,
  modelsWithCosts,
  type PartUsage,
  UsageFold,
  usedIn,
  withCosts,
} from '../../dialects/kit/usage.ts';
import type { UsageEntry } from '../../dialects/sessions/kit/session.ts';
import { withoutCopies } from './copied-runs.ts';
import {
  type CopiedFailure,
  type CountedCall,
  Counter,
  type Durations,
  FailureFold,
  type FailureStatistics,
  Numbers,
  type RunFold,
  Timed,
} from './run-fold.ts';
import {
  type GroupedRuns,
  type Grouping,
  linesLost,
  type RunFacts,
  RunGroups,
  type RunResult,
  UNKNOWN,
} from './run-groups.ts';
import { lastedMs } from './span.ts';

/** Statistics of one model over all runs. */
export interface ModelStatistics {
  readonly answers: number;
  readonly tokens: Tokens;
  /** The number of calls per tool. */
  readonly tools: Readonly<Record<string, number>>;
  readonly cost?: Cost;
}

/** Statistics over many runs, as `noesis stats -j` prints them. Names are sorted by frequency. */
export interface Statistics extends Partial<GroupedRuns> {
  readonly episodes: number;
  readonly events: number;
  /** The number of runs per status, and the success rate of finished runs. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly successRate?: number;
  /** The durations of whole runs, from the first record to the last. */
  readonly runs: Durations;
  /** The times of model and tools, without waiting for a person and idle time, of runs whose logs show it. */
  readonly worked?: Durations;
  /** The time that runs waited for a person, and were idle, if the logs record it. */
  readonly waited_ms?: number;
  readonly idle_ms?: number;
  /** The time in which nobody knows what runs did, so the times above are minima. */
  readonly unknown_ms?: number;
  readonly phases: Readonly<Record<string, Durations>>;
  /** By tool, type or step, whichever the dialect uses as a name. */
  readonly names: Readonly<Record<string, Durations>>;
  /** Of these, the calls by tool, and all others. */
  readonly tools?: Readonly<Record<string, Durations>>;
  readonly types?: Readonly<Record<string, Durations>>;
  /** The number of logs of subagents, and of further logs, in addition to one per run. */
  readonly other_logs?: { readonly subagents: number; readonly further: number };
  readonly vetoes: Readonly<Record<string, number>>;
  /** The frequency of failure messages, with numbers and ids replaced. */
  readonly failures: Readonly<Record<string, number>>;
  /** Failures with their tool and latest episode, most frequent first. */
  readonly failed: readonly FailureStatistics[];
  /** Calls and events that a person, a rule or a limit refused or stopped, most frequent first. */
  readonly refused: readonly FailureStatistics[];
  /** The number of calls that logs contain as copies, as forks do. Each counts once, where it was made. */
  readonly copied_calls?: number;
  /** The tokens that further logs contain too, and that count once. The runs, each alone, have these in addition. */
  readonly copied_tokens?: number;
  /** Left out of a time range because they have no time: calls, and runs without any time. */
  readonly undated?: { readonly runs: number; readonly calls: number };
  /** Usage per model. The last copy of a repeated answer or call counts. */
  readonly models: Readonly<Record<string, ModelStatistics>>;
  /** The number of runs per start day in UTC. */
  readonly days: Readonly<Record<string, number>>;
  /** Of all models together, and by the day of the answers in UTC. */
  readonly tokens?: Tokens;
  /** What the tokens lack. */
  readonly lacks?: Lacks;
  /** The part of the tokens that subagents with separate logs used. */
  readonly subagents?: PartUsage;
  /** The part of the tokens in further logs of the sessions themselves. */
  readonly parts?: PartUsage;
  readonly cost?: Cost;
  readonly tokens_by_day?: Readonly<Record<string, Tokens>>;
  /** The number of runs with tokens whose logs do not have them by turn. */
  readonly totals_only?: number;
}

/** The usage of each model, with its calls by tool. */
function modelStatistics(fold: UsageFold): Record<string, ModelStatistics> {
  const tools = new Map<string, Counter>();
  for (const { model, tool, tokens } of fold.entries) {
    if (tool === undefined && tokens === undefined) continue;
    const counter = tools.get(model) ?? new Counter();
    tools.set(model, counter);
    if (tool !== undefined) counter.add(tool);
  }
  const { models } = fold.result();
  const used = (model: string) => models[model] ?? { answers: 0, tokens: NO_TOKENS };
  const all = [...tools].map(
    ([model, counter]) => [model, { ...used(model), tools: counter.result() }] as const,
  );
  return Object.fromEntries(all.sort(byUse));
}

/** The calls and failures in the log of a session, or of one of its parts. */
interface SessionWork {
  readonly calls: readonly CountedCall[];
  readonly failures: readonly CopiedFailure[];
  readonly episode: string | undefined;
}

/** The calls and failures of all runs. */
interface SessionSums {
  readonly tools: Timed;
  readonly failures: Counter;
  readonly vetoes: Counter;
  readonly failed: FailureFold;
  readonly refused: FailureFold;
  copiedCalls: number;
}

/** The tokens of a run. `hasParts`: its logs may repeat each other. */
function tokensOf(usage: readonly UsageEntry[], hasParts: boolean): number {
  if (!hasParts && usage.every(({ total }) => total === undefined))
    return usage.reduce((sum, { tokens }) => sum + (tokens === undefined ? 0 : totalTokens(tokens)), 0);
  const fold = new UsageFold();
  fold.add(usage);
  return totalTokens(fold.result().tokens);
}

/** Adds up into an empty sum, so that more can be added to it than to the other. */
function sumOf<Sum extends { take(other: Sum): void }>(into: Sum, other: Sum): Sum {
  into.take(other);
  return into;
}

export class StatsFold {
  #episodes = 0;
  #events = 0;
  /** The calls that logs say were copied from another session. */
  #copiedCalls = 0;
  readonly #statuses = new Counter();
  #over = 0;
  #good = 0;
  readonly #runs = new Numbers();
  #timedRuns = 0;
  readonly #worked = new Numbers();
  #workedRuns = 0;
  /** The times of runs, and the answers and calls by which copies of a run are recognised. */
  readonly #times: { readonly time: TimeOfRun; readonly keys: ReadonlySet<string> }[] = [];
  #totalsOnly = 0;
  /** The tokens of each run alone, added up. */
  #tokensOfRuns = 0;
  readonly #phases = new Timed();
  readonly #tools = new Timed();
  readonly #types = new Timed();
  readonly #vetoes = new Counter();
  readonly #failures = new Counter();
  readonly #days = new Counter();
  readonly #usage = new UsageFold();
  readonly #below = { logs: 0, fold: new UsageFold() };
  readonly #further = { logs: 0, fold: new UsageFold() };
  readonly #failed = new FailureFold();
  readonly #refused = new FailureFold();
  readonly #undated = { runs: 0, calls: 0 };
  readonly #groups: RunGroups | undefined;
  /** What the logs of sessions contain. Several may be copies of one, so it is counted when all are known. */
  readonly #ofSessions: SessionWork[] = [];

  /** `by`: the grouping; each {@link RunFold} must then keep its calls. */
  constructor(by?: Grouping) {
    this.#groups = by && new RunGroups(by);
  }

  /** Adds a run with an intact log and the result from its dialect. */
  add(run: RunFold, result: RunResult = { status: UNKNOWN, isOver: undefined }, facts: RunFacts = {}): void {
    const { status, tone, isOver, time, others = [] } = result;
    const usage = [...(result.usage ?? []), ...others.flatMap((log) => log.usage ?? [])];
    for (const log of others) {
      const part = log.is_part ? this.#further : this.#below;
      part.logs += 1;
      part.fold.add(log.usage ?? [], log.lost_lines);
    }
    if (time !== undefined) {
      this.#times.push({ time, keys: new Set(usage.flatMap(({ key }) => key ?? [])) });
      this.#worked.add(time.model_ms + time.tools_ms);
      this.#workedRuns += 1;
    }
    this.#addWork(run, result.calls, facts.episode);
    for (const { fold, calls, episode } of others) this.#addWork(fold, calls, episode);
    if (result.tokens_by_turn === false) this.#totalsOnly += 1;
    this.#groups?.add(run, { ...result, usage }, facts);
    this.#episodes += 1;
    for (const log of [result, ...others.map((other) => other.result)])
      this.#copiedCalls += log?.copied?.calls ?? 0;
    this.#statuses.add(status);
    if (isOver === true) this.#over += 1;
    if (isOver === true && tone === 'good') this.#good += 1;
    this.#tokensOfRuns += tokensOf(usage, others.length > 0);
    this.#usage.add(usage, linesLost([result, ...others]), result.sharedLog);
    const { start } = run.time;
    if (start !== undefined) this.#days.add(new Date(start).toISOString().slice(0, 10));
    const lasted = lastedMs(run.time, time);
    if (lasted === undefined) return;
    this.#runs.add(lasted);
    this.#timedRuns += 1;
  }

  /** Adds what happened in the log of a run, or of one of its parts. */
  #addWork(run: RunFold, calls: readonly CountedCall[] | undefined, episode: string | undefined): void {
    run.end();
    const { events, phases, names, vetoes, failures, failed, refused, tools, ofSession } = run;
    this.#failed.take(failed, episode);
    this.#refused.take(refused, episode);
    if (calls !== undefined || ofSession.length > 0)
      this.#ofSessions.push({ calls: calls ?? [], failures: ofSession, episode });
    this.#events += events;
    this.#phases.take(phases);
    this.#types.take(names);
    // A session knows each call, also one without a result or with its result among others in one record.
    if (calls === undefined) this.#tools.take(tools);
    this.#vetoes.take(vetoes);
    this.#failures.take(failures);
  }

  /** Adds the calls and failures of sessions, each once. `counted`: the entries that count among copies. */
  #workOfSessions(counted: ReadonlyMap<UsageEntry, UsageEntry>): SessionSums {
    const sums: SessionSums = {
      tools: sumOf(new Timed(), this.#tools),
      failures: sumOf(new Counter(), this.#failures),
      vetoes: sumOf(new Counter(), this.#vetoes),
      failed: sumOf(new FailureFold(), this.#failed),
      refused: sumOf(new FailureFold(), this.#refused),
      copiedCalls: this.#copiedCalls,
    };
    const known = new Set<string>();
    for (const { calls, failures, episode } of this.#ofSessions) {
      const of = episode === undefined ? {} : { episode };
      const own = calls.filter(({ entry }) => entry === undefined || counted.has(entry));
      sums.copiedCalls += calls.length - own.length;
      const ownLines = new Set(own.map(({ line }) => line));
      const copiedLines = new Set(calls.map(({ line }) => line).filter((line) => !ownLines.has(line)));
      for (const { tool, durationMs } of own) sums.tools.add(tool, durationMs);
      for (const { failure, at, refusal, key } of failures) {
        if (copiedLines.has(failure.line) || (key !== undefined && known.has(key))) continue;
        if (key !== undefined) known.add(key);
        if (refusal === undefined) sums.failures.add(failure.reason);
        else sums.vetoes.add(refusal);
        (refusal === undefined ? sums.failed : sums.refused).add({ ...failure, ...of }, at);
      }
      for (const { failed: how, tool: name, line } of own) {
        if (how !== 'no result') continue;
        sums.failures.add(how);
        sums.failed.add({ name, reason: how, count: 1, line, ...of });
      }
    }
    return sums;
  }

  /** Counts what a range of time leaves out of a run because it has no time. */
  leaveOut({ isDated, undatedCalls }: RunFold): void {
    if (!isDated) this.#undated.runs += 1;
    this.#undated.calls += undatedCalls;
  }

  /** How long runs waited, each once even if it has copies. */
  #pauses(): Pick<Statistics, 'waited_ms' | 'idle_ms' | 'unknown_ms'> {
    const times = withoutCopies(this.#times).map(({ time }) => time);
    const sum = (of: (time: TimeOfRun) => number | undefined) =>
      times.reduce((total, time) => total + (of(time) ?? 0), 0) || undefined;
    return defined({
      waited_ms: sum((time) => time.waited_ms),
      idle_ms: sum((time) => time.idle_ms),
      unknown_ms: sum((time) => time.unknown_ms),
    });
  }

  #tokens(
    prices: Prices | undefined,
  ): Pick<
    Statistics,
    'tokens' | 'lacks' | 'subagents' | 'parts' | 'cost' | 'tokens_by_day' | 'copied_tokens'
  > {
    const { tokens, days, models, lacks, charges = [] } = this.#usage.result();
    if (Object.keys(models).length === 0) return defined({ lacks });
    const part = ({ logs, fold }: { logs: number; fold: UsageFold }) =>
      logs === 0 ? undefined : usedIn(logs, fold);
    const other = defined({ lacks, subagents: part(this.#below), parts: part(this.#further) });
    const copied = this.#tokensOfRuns - totalTokens(tokens);
    const sums = { tokens, ...other, ...(copied > 0 && { copied_tokens: copied }), tokens_by_day: days };
    return withCosts({ ...sums, charges }, prices);
  }

  /** Tools and types in one table. */
  #names(tools: Timed): Record<string, Durations> {
    const names = new Timed();
    names.take(this.#types);
    names.take(tools);
    return names.result();
  }

  /** The models whose prices are needed. */
  get models(): Set<string> {
    return modelsOf(this.#usage.result().charges);
  }

  /** `prices`: adds what the tokens cost. */
  result(prices?: Prices): Statistics {
    const { counted } = this.#usage;
    const work = this.#workOfSessions(counted);
    return {
      episodes: this.#episodes,
      events: this.#events,
      statuses: this.#statuses.result(),
      ...(this.#over > 0 && { successRate: this.#good / this.#over }),
      runs: this.#runs.quantiles(this.#timedRuns),
      ...(this.#workedRuns > 0 && { worked: this.#worked.quantiles(this.#workedRuns) }),
      ...this.#pauses(),
      phases: this.#phases.result(),
      names: this.#names(work.tools),
      tools: work.tools.result(),
      types: this.#types.result(),
      ...(this.#below.logs + this.#further.logs > 0 && {
        other_logs: { subagents: this.#below.logs, further: this.#further.logs },
      }),
      vetoes: work.vetoes.result(),
      failures: work.failures.result(),
      failed: work.failed.result(),
      refused: work.refused.result(),
      ...this.#groups?.result(prices, counted),
      ...(work.copiedCalls > 0 && { copied_calls: work.copiedCalls }),
      ...(this.#undated.runs + this.#undated.calls > 0 && { undated: this.#undated }),
      models: modelsWithCosts(modelStatistics(this.#usage), this.#usage.result().charges ?? [], prices),
      ...this.#tokens(prices),
      ...(this.#totalsOnly > 0 && { totals_only: this.#totalsOnly }),
      days: this.#days.result(true),
    };
  }
}
