import { byText } from '../../base/text/order.ts';
import type { Account } from '../../dialects/kit/account.ts';
import type { Cost, Prices } from '../../dialects/kit/prices.ts';
import type { Lacks, Tokens } from '../../dialects/kit/tokens.ts';
import { type LogUsage, UsageFold, withCosts } from '../../dialects/kit/usage.ts';
import type { UsageEntry } from '../../dialects/sessions/kit/session.ts';
import { type CountedCall, Counter, type Durations, type RunFold, Timed } from './run-fold.ts';

/** Statistics of a group of runs, or of the calls of one tool or model. */
export interface GroupStatistics {
  /** The number of runs with something in the group. */
  readonly runs: number;
  readonly calls: Durations;
  /** Failed or refused calls. */
  readonly failed: number;
  /** Those of them that a person or a policy refused. */
  readonly refused?: number;
  /** Absent for tools, because tokens belong to answers and not to calls. */
  readonly tokens?: Tokens;
  /** What the tokens lack. */
  readonly lacks?: Lacks;
  /** If there are prices and tokens. */
  readonly cost?: Cost;
}

export const GROUPINGS = ['tool', 'model', 'agent', 'day', 'project', 'dialect', 'status'] as const;
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
  'status' | 'tone' | 'isOver' | 'usage' | 'cwd' | 'time' | 'tokens_by_turn'
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

class Group {
  runs = 0;
  readonly #calls = new Timed();
  #count = 0;
  failed = 0;
  #refused = 0;
  readonly usage = new UsageFold();

  call({ durationMs, failed }: CountedCall): void {
    this.#count += 1;
    this.#calls.add('', durationMs);
    if (failed !== undefined) this.failed += 1;
    if (failed === 'refused') this.#refused += 1;
  }

  get size(): number {
    return this.#count;
  }

  result(withTokens: boolean, prices: Prices | undefined): GroupStatistics {
    const { runs, failed } = this;
    const calls = this.#calls.result()[''] ?? { count: 0 };
    const { tokens, lacks, charges = [] } = this.usage.result();
    const counts = { runs, calls, failed, ...(this.#refused > 0 && { refused: this.#refused }) };
    if (!withTokens) return { ...counts, ...(lacks && { lacks }) };
    return withCosts({ ...counts, tokens, ...(lacks && { lacks }), charges }, prices);
  }
}

/** What the groups have of all runs. */
export interface GroupedRuns {
  /** Most calls first; days in order. */
  readonly groups: Readonly<Record<string, GroupStatistics>>;
  /** The number of failed calls in all groups, by how they failed: failed, refused, no result. */
  readonly failed_calls: Readonly<Record<string, number>>;
}

/** The runs of statistics in groups; each {@link RunFold} must keep its calls. */
export class RunGroups {
  readonly #by: Grouping;
  readonly #groups = new Map<string, Group>();
  readonly #failedCalls = new Counter();

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
    const ofRun = {
      day: start,
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
    const dayOr = (day: string | undefined) => (by === 'day' ? (day ?? ofRun) : ofRun);
    for (const call of calls) {
      const { tool, id, day, failed } = call;
      if (failed !== undefined) this.#failedCalls.add(failed);
      groupOf(dayOr(day) ?? (by === 'tool' ? tool : ((id && models.get(id)) ?? UNKNOWN))).call(call);
    }
    if (by !== 'tool')
      for (const entry of usage) {
        // That the log of a subagent is missing is known of whole runs only.
        const isOfWhole = RUN_GROUPINGS.has(by) && isOfAgent(entry);
        if (entry.tokens !== undefined || entry.isUncounted || isOfWhole)
          groupOf(dayOr(entry.day) ?? entry.model).usage.add([entry]);
      }
    for (const group of touched) {
      group.runs += 1;
      // A lost line may have been of any of them.
      group.usage.add([], lost, sharedLog);
    }
  }

  result(prices: Prices | undefined): GroupedRuns {
    const by = this.#by;
    const sorted = [...this.#groups].sort(([a, x], [b, y]) =>
      by === 'day' ? byText(a, b) : y.size - x.size || byText(a, b),
    );
    const groups = sorted.map(([name, group]) => [name, group.result(by !== 'tool', prices)] as const);
    return { groups: Object.fromEntries(groups), failed_calls: this.#failedCalls.result() };
  }
}
