import { defined } from '../../base/json/defined.ts';
import {
  type Account,
  callsOfTools,
  type EndingReason,
  GOING_ON,
  type SubagentUse,
  type TimeOfRun,
  type ToolUse,
  type WrittenFile,
} from '../../dialects/kit/account.ts';
import { sumOfFailed } from '../../dialects/kit/failed-calls.ts';
import { totalTokens } from '../../dialects/kit/tokens.ts';
import { furtherAmong, type LogUsage, UsageFold, usedByAnswers, usedIn } from '../../dialects/kit/usage.ts';
import { joinedFacts } from '../../dialects/sessions/kit/account.ts';
import { failedAmong, type UsageEntry } from '../../dialects/sessions/kit/session.ts';
import { slowestAmong, toolsOf } from '../../dialects/sessions/kit/time.ts';
import { withSlowestOf } from './further-logs.ts';
import { ownCalls, repeatedLines } from './repeated-lines.ts';

/** The account of a run without its usage, which is added up separately. */
export type RunAccount = Omit<
  Account,
  'usage' | 'recorded_tokens' | 'tokens_by_turn' | 'unsure_tokens' | 'mayLack'
>;

/** The account of the log of a subagent, or of a further log of a run. */
export interface PartAccount {
  /** Its name, which commands accept as a target. */
  readonly name: string;
  /** The names by which the run may call it: that of its log, and the id of the subagent or the session in it. */
  readonly ids: readonly string[];
  readonly account: RunAccount | undefined;
  /** The number of failures that are not listed. */
  readonly moreFailed: number;
  readonly usage: LogUsage;
}

/** What happened in the log of a part itself. */
type OwnAccount = Pick<RunAccount, 'tools' | 'files'> &
  Pick<TimeOfRun, 'slowest'> & { readonly failures: readonly EndingReason[] };

type OwnPart = Omit<PartAccount, 'account'> & { readonly account: OwnAccount | undefined };

/** A subagent with what its own logs say: its calls, and what it used. */
function withParts(agent: SubagentUse, parts: readonly OwnPart[]): SubagentUse {
  const own = parts.filter(({ ids }) => ids.includes(agent.id));
  const all = own.flatMap(({ account }) => account?.tools ?? []);
  const hasCalls = own.some(({ account }) => account?.tools);
  const counts = hasCalls && { calls: callsOfTools(all), ...sumOfFailed(all) };
  const used = own.flatMap(({ usage }) => (usage.usage ? [usage] : []));
  if (used.length === 0) return { ...agent, ...counts };
  const fold = new UsageFold();
  for (const { usage = [], lost_lines } of used) fold.add(usage, lost_lines);
  const { tokens, lacks, charges } = usedIn(used.length, fold);
  const sum = { tokens: totalTokens(tokens), counted: 'total' as const };
  return { ...agent, ...counts, ...sum, ...defined({ lacks, charges }) };
}

/** A subagent with what it did and used in the log of its session. `usage`: of this log. */
function withOwn(agent: SubagentUse, usage: readonly UsageEntry[]): SubagentUse {
  const calls = usage.flatMap(({ call }) => (call?.agent === agent.id ? [call] : []));
  const used = usedByAnswers(usage.filter(({ by }) => by === agent.id));
  return {
    ...agent,
    ...(calls.length > 0 && { calls: calls.length, ...failedAmong(calls) }),
    ...(used && { ...used, tokens: totalTokens(used.tokens) }),
  };
}

/**
 * Says what subagents did that have no other log, and where their tokens count. `logs`: the usage of the logs that started
 * them.
 */
export function withCounted(account: RunAccount, logs: readonly LogUsage[]): RunAccount {
  if (account.agents === undefined) return account;
  const usage = logs.flatMap((log) => log.usage ?? []);
  const apart = new Set(usage.flatMap(({ started = [] }) => started));
  const agents = account.agents.map((known): SubagentUse => {
    if (known.counted !== undefined) return known;
    const agent = known.calls === undefined ? withOwn(known, usage) : known;
    if (agent.tokens === undefined) return agent;
    return { ...agent, counted: apart.has(agent.id) ? 'nothing' : 'step' };
  });
  return { ...account, agents };
}

const GOES_ON: ReadonlySet<string> = new Set(Object.values(GOING_ON));

/** The failures and refusals in an account, in order. A call that still runs has not failed. */
const failuresIn = ({ why, onTheWay = [] }: RunAccount): EndingReason[] =>
  [...why, ...onTheWay]
    .filter(({ kind, tone }) => (tone === 'bad' || tone === 'doubtful') && !GOES_ON.has(kind))
    .sort((a, b) => a.line - b.line);

/** Leaves out what a part has from the log of the run or of an earlier part. */
function ownAccounts(run: LogUsage, parts: readonly PartAccount[]): OwnPart[] {
  const repeated = repeatedLines(
    run.usage,
    parts.map(({ usage }) => usage.usage),
  );
  return parts.map((part, at) => {
    const { account, usage } = part;
    const isOwn = ({ line }: { readonly line: number }) => !repeated[at]?.has(line);
    const calls = ownCalls(usage.usage, repeated[at]);
    const files = account?.files?.filter(isOwn);
    return {
      ...part,
      account: account && {
        failures: failuresIn(account).filter(isOwn),
        ...(account.tools && { tools: toolsOf({ calls }) }),
        ...(files && { files }),
        slowest: slowestAmong(calls),
      },
    };
  });
}

/** Adds up the calls of each tool. The last failed call is that of the last log in which one failed. */
function plusTools(all: readonly ToolUse[]): ToolUse[] {
  const tools = new Map<string, ToolUse>();
  for (const use of all) {
    const { tool, calls, failed, took_ms } = use;
    const sum = tools.get(tool);
    if (sum === undefined) tools.set(tool, use);
    else {
      const last = failed > 0 ? use : sum;
      const untimed = (use.untimed ?? 0) + (sum.untimed ?? 0);
      tools.set(tool, {
        tool,
        calls: sum.calls + calls,
        ...sumOfFailed([sum, use]),
        ...(last.failed_line !== undefined && { failed_line: last.failed_line }),
        ...(last.failed_part !== undefined && { failed_part: last.failed_part }),
        took_ms: sum.took_ms + took_ms,
        ...(untimed > 0 && { untimed }),
        ...((sum.is_minimum ?? use.is_minimum) && { is_minimum: true }),
      });
    }
  }
  return [...tools.values()].sort((a, b) => b.took_ms - a.took_ms || b.calls - a.calls);
}

/** The failures of a log by where they are shown: those of a subagent where it was started. */
interface Placed {
  readonly reason: EndingReason;
  /** The log of the run, from 0, and the line in it. */
  readonly log: number;
  readonly line: number;
}

/** The account of a further log. */
interface FurtherAccount {
  readonly name: string;
  readonly account: RunAccount;
}

/** The account of a run and those of its further logs: what follows continues, and the last log says how it ended. */
function withFurther(account: RunAccount, further: readonly FurtherAccount[]): RunAccount {
  const end = further.at(-1);
  if (end === undefined) return account;
  const { name, account: last } = end;
  const { tone: _, ...own } = account;
  const accounts = further.map((log) => log.account);
  const all = [account, ...accounts];
  const steps = all.flatMap((one, at) => one.steps.map((step) => ({ ...step, ...nameOf(further[at - 1]) })));
  const agents = all.flatMap(({ agents: started = [] }, at) =>
    started.map((agent) => ({ ...agent, ...nameOf(further[at - 1]) })),
  );
  return {
    ...own,
    ...joinedFacts(account, accounts),
    status: last.status,
    ...(last.tone && { tone: last.tone }),
    isOver: last.isOver,
    why: last.why.map((reason) => ({ ...reason, part: name })),
    steps: steps.map((step, at) => ({ ...step, id: String(at + 1) })),
    ...(agents.length > 0 && { agents }),
  };
}

const nameOf = (part: FurtherAccount | undefined) => (part === undefined ? {} : { part: part.name });

/**
 * Adds to the account of a run what happened in its further logs, which continue it, and in the logs of its subagents: calls,
 * failures and written files, each with the name of the log. Failures of a subagent are placed where it was started.
 */
export function accountWithParts(
  account: RunAccount,
  usage: LogUsage,
  logs: readonly PartAccount[],
): RunAccount {
  const parts = ownAccounts(usage, logs);
  const found = parts.flatMap((part) => (part.account ? [{ ...part, account: part.account }] : []));
  const further = furtherAmong(logs).flatMap(({ name, account: one }) =>
    one ? [{ name, account: one }] : [],
  );
  const joined = withFurther(account, further);
  const { agents } = joined;
  const logOf = (part: string | undefined): number => further.findIndex(({ name }) => name === part) + 1;
  const startOf = ({ ids }: Pick<PartAccount, 'ids'>): Omit<Placed, 'reason'> => {
    const agent = agents?.find(({ id }) => ids.includes(id));
    return agent === undefined
      ? { log: further.length, line: Infinity }
      : { log: logOf(agent.part), line: agent.line };
  };
  // What ended an earlier log did not end the run.
  const ofMain = further.length === 0 ? (account.onTheWay ?? []) : failuresIn(account);
  const reasons: Placed[] = [
    ...ofMain.map((reason) => ({ reason, log: 0, line: reason.line })),
    ...found.flatMap(({ name, ids, usage: { is_part: isFurther }, account: own }) =>
      own.failures
        .filter(
          (reason) => name !== further.at(-1)?.name || !joined.why.some(({ line }) => line === reason.line),
        )
        .map((reason) => ({
          reason: { ...reason, part: name },
          ...(isFurther ? { log: logOf(name), line: reason.line } : startOf({ ids })),
        })),
    ),
  ];
  const failures = reasons.sort((a, b) => a.log - b.log || (a.line < b.line ? -1 : a.line > b.line ? 1 : 0));
  const tools: ToolUse[] = [
    ...(account.tools ?? []),
    ...found.flatMap(({ name, account: own }) =>
      (own.tools ?? []).map((use) => (use.failed > 0 ? { ...use, failed_part: name } : use)),
    ),
  ];
  const files: WrittenFile[] = [
    ...(account.files ?? []),
    ...found.flatMap(({ name, account: own }) => (own.files ?? []).map((file) => ({ ...file, part: name }))),
  ];
  const ofAgents = found.filter(({ usage: { is_part: isFurther } }) => !isFurther);
  const slowest = ofAgents.map((agent) => ({ part: agent.name, slowest: agent.account.slowest }));
  const { onTheWay: _, time, ...rest } = joined;
  return {
    ...rest,
    ...(time && { time: withSlowestOf(time, slowest) }),
    ...(failures.length > 0 && { onTheWay: failures.map(({ reason }) => reason) }),
    ...(tools.length > 0 && { tools: plusTools(tools) }),
    ...(files.length > 0 && { files }),
    ...(agents && { agents: agents.map((agent) => withParts(agent, parts)) }),
  };
}
