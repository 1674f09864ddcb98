import { byText } from '../../base/text/order.ts';
import { isPeriod, PERIODS, periodOf } from '../../base/time/period.ts';
import type { Account } from '../../dialects/kit/account.ts';
import { type FailedCalls, failedCalls } from '../../dialects/kit/failed-calls.ts';
import type { Cost, Prices } from '../../dialects/kit/prices.ts';
import type { Lacks, Tokens } from '../../dialects/kit/tokens.ts';
import { type LogUsage, UsageFold, withCosts, withoutLost } from '../../dialects/kit/usage.ts';
import type { UsageEntry } from '../../dialects/sessions/kit/session.ts';
import { type CountedCall, Counter, type Durations, type RunFold, Timed } from './run-fold.ts';

/** Statistics of a group of runs, or of the calls of one tool or model. */
export interface GroupStatistics extends FailedCalls {
  /** The number of runs with something in the group. */
  readonly runs: number;
  readonly calls: Durations;
  /** Absent for tools, because tokens belong to answers and not to calls. */
  readonly tokens?: Tokens;
  /** What the tokens lack. */
  readonly lacks?: Lacks;
  /** If there are prices and tokens. */
  readonly cost?: Cost;
}

export const GROUPINGS = ['tool', 'model', 'agent', ...PERIODS, 'project', 'dialect', 'status'] as const;
export type Grouping = (typeof GROUPINGS)[number];

export interface RunFacts {
  /** The subagent, if it is the log of one. */
  readonly agent?: string | undefined;
  readonly episode?: string | undefined;
  readonly project?: string | undefined;
  readonly dialect?: string | undefined;
}

/**
 * The result of a run. Its dialect says whether it is finished and succeeded, whatever its status is called.
 */
export type RunResult = Pick<
  Account,
  'status' | 'tone' | 'isOver' | 'usage' | 'cwd' | 'time' | 'tokens_by_turn' | 'copied'
> & {
  /** Every call of the run, with or without a result; by default those with a span. */
  readonly calls?: readonly CountedCall[] | undefined;
  /** The logs of subagents, and further logs of the session. */
  readonly others?: readonly PartResult[];
  /** The number of lines of its log that could not be read. */
  readonly lost_lines?: number;
  /** The log, if it has several runs: any of them may have lost its lines. */
  readonly sharedLog?: string;
};

/** A part of a run that has its own log. */
export interface PartResult extends LogUsage {
  readonly episode: string;
  readonly fold: RunFold;
  readonly calls?: readonly CountedCall[] | undefined;
  readonly result?: Account | undefined;
}

export const UNKNOWN = 'unknown';
/** The group of what no subagent did. */
const MAIN = 'main';

/** The groupings that have a whole run in one group. */
const RUN_GROUPINGS: ReadonlySet<Grouping> = new Set(['project', 'dialect', 'status']);

/** Whether an entry says which subagents there are. */
const isOfAgent = ({ started, agent }: UsageEntry): boolean => started !== undefined || agent !== undefined;

/** The calls of a run with those of its parts, if its log knows each call. */
const withCallsOf = ({ calls }: RunResult, others: readonly PartResult[]): Pick<RunResult, 'calls'> =>
  calls === undefined ? {} : { calls: [...calls, ...others.flatMap((part) => part.calls ?? [])] };

/** The number of lines of some logs that could not be read. */
export const linesLost = (logs: readonly { readonly lost_lines?: number }[]): number =>
  logs.reduce((sum, { lost_lines: lost = 0 }) => sum + lost, 0);

/** Which entries count, if several logs contain copies of them, and as what. */
type CountedEntries = ReadonlyMap<UsageEntry, UsageEntry>;

/** A group of calls and answers, also those of copies: which of them count is known when all logs have been read. */
class Group {
  runs = 0;
  readonly #calls: CountedCall[] = [];
  readonly #entries: UsageEntry[] = [];
  readonly #lost: { readonly lines: number; readonly sharedLog: string | undefined }[] = [];

  call(call: CountedCall): void {
    this.#calls.push(call);
  }

  use(entry: UsageEntry): void {
    this.#entries.push(entry);
  }

  /** Lines of a log of the group could not be read. `sharedLog`: see {@link UsageFold.add}. */
  lose(lines = 0, sharedLog?: string): void {
    if (lines > 0) this.#lost.push({ lines, sharedLog });
  }

  /** The calls that count. */
  calls(counted: CountedEntries): readonly CountedCall[] {
    return this.#calls.filter(({ entry }) => entry === undefined || counted.has(entry));
  }

  result(counted: CountedEntries, withTokens: boolean, prices: Prices | undefined): GroupStatistics {
    const { runs } = this;
    const own = this.calls(counted);
    const timed = new Timed();
    for (const { durationMs } of own) timed.add('', durationMs);
    const failed = failedCalls(
      own.filter((call) => call.failed !== undefined).length,
      (of) => own.filter((call) => call.failed?.replace(' ', '_') === of).length,
    );
    const usage = new UsageFold();
    usage.add(this.#entries.flatMap((entry) => counted.get(entry) ?? []));
    for (const { lines, sharedLog } of this.#lost) usage.add([], lines, sharedLog);
    const { tokens, lacks, charges = [] } = usage.result();
    const calls = timed.result()[''] ?? { count: 0 };
    const counts = { runs, calls, ...failed };
    if (!withTokens) return { ...counts, ...(lacks && { lacks }) };
    return withCosts({ ...counts, tokens, ...(lacks && { lacks }), charges }, prices);
  }
}

/** What the groups have of all runs. */
export interface GroupedRuns {
  /** Most calls first; days, weeks and months in order. */
  readonly groups: Readonly<Record<string, GroupStatistics>>;
  /** The number of failed calls in all groups, by how they failed: failed, refused, interrupted, no result. */
  readonly failed_calls: Readonly<Record<string, number>>;
}

/** The runs of statistics in groups; each {@link RunFold} must keep its calls. */
export class RunGroups {
  readonly #by: Grouping;
  readonly #groups = new Map<string, Group>();

  constructor(by: Grouping) {
    this.#by = by;
  }

  /** Adds a run with its parts to groups. Only by agent, a subagent is a separate group. */
  add(run: RunFold, result: RunResult, facts: RunFacts): void {
    const { others = [], usage = [] } = result;
    const agents = this.#by === 'agent' ? others.filter(({ is_part }) => !is_part) : [];
    const ofAgents = new Set(agents.flatMap((agent) => agent.usage ?? []));
    const own = usage.filter((entry) => !ofAgents.has(entry));
    const rest = others.filter((other) => !agents.includes(other));
    const lost_lines = linesLost([result, ...rest]);
    this.#group(run, { ...result, usage: own, ...withCallsOf(result, rest), lost_lines }, facts);
    for (const { episode, fold, usage: its = [], calls, lost_lines = 0 } of agents)
      this.#group(
        fold,
        { status: UNKNOWN, isOver: undefined, usage: its, calls, lost_lines },
        { agent: episode },
      );
  }

  /** Adds a run to one group, or to a group per tool or model. */
  #group(
    { calls: ended = [], time }: RunFold,
    { status, usage = [], calls = ended, lost_lines: lost, sharedLog }: RunResult,
    facts: RunFacts,
  ): void {
    const by = this.#by;
    const models = new Map(
      usage.map(({ key, model, tool }) => [tool === undefined ? undefined : key, model]),
    );
    const start = time.start === undefined ? UNKNOWN : new Date(time.start).toISOString().slice(0, 10);
    const ofRun = isPeriod(by)
      ? periodOf(start, by)
      : {
          project: facts.project ?? UNKNOWN,
          dialect: facts.dialect ?? UNKNOWN,
          status,
          agent: facts.agent ?? MAIN,
          tool: undefined,
          model: undefined,
        }[by];
    const touched = new Set<Group>();
    const groupOf = (name: string): Group => {
      const group = this.#groups.get(name) ?? new Group();
      this.#groups.set(name, group);
      touched.add(group);
      return group;
    };
    if (ofRun !== undefined) groupOf(ofRun);
    // A run may last for days, so each item counts on its own day.
    const dayOr = (day: string | undefined) =>
      isPeriod(by) && day !== undefined ? periodOf(day, by) : ofRun;
    for (const call of calls) {
      const { tool, id, day } = call;
      groupOf(dayOr(day) ?? (by === 'tool' ? tool : ((id && models.get(id)) ?? UNKNOWN))).call(call);
    }
    if (by !== 'tool')
      for (const entry of usage) {
        // That the log of a subagent is missing is known of whole runs only.
        const isOfWhole = RUN_GROUPINGS.has(by) && isOfAgent(entry);
        if (entry.tokens !== undefined || entry.isUncounted || isOfWhole)
          groupOf(dayOr(entry.day) ?? entry.model).use(entry);
      }
    const missing = withoutLost(usage, lost ?? 0).filter(({ isMissing, isUnread }) => isMissing || isUnread);
    for (const group of touched) {
      group.runs += 1;
      for (const entry of missing) group.use(entry);
      // A lost line or record may have been of any of them.
      group.lose(lost, sharedLog);
    }
  }

  /** `counted`: which entries of all runs count. */
  result(prices: Prices | undefined, counted: CountedEntries): GroupedRuns {
    const by = this.#by;
    const failedCalls = new Counter();
    for (const group of this.#groups.values())
      for (const { failed } of group.calls(counted)) if (failed !== undefined) failedCalls.add(failed);
    const groups = [...this.#groups]
      .map(([name, group]) => [name, group.result(counted, by !== 'tool', prices)] as const)
      .sort(([a, x], [b, y]) =>
        isPeriod(by) ? byText(a, b) : y.calls.count - x.calls.count || byText(a, b),
      );
    return { groups: Object.fromEntries(groups), failed_calls: failedCalls.result() };
  }
}
