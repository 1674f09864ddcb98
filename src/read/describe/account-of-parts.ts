import { defined } from '../../base/json/defined.ts';
import type {
  Account,
  CopiedRecords,
  EndingReason,
  SubagentUse,
  ToolUse,
  WrittenFile,
} from '../../dialects/kit/account.ts';
import { totalTokens } from '../../dialects/kit/tokens.ts';
import { type LogUsage, UsageFold, usedIn } from '../../dialects/kit/usage.ts';
import { toolsOf } from '../../dialects/sessions/kit/time.ts';
import { repeatedLines } from './repeated-lines.ts';

/** The account of a run without its usage, which is added up separately. */
export type RunAccount = Omit<Account, 'usage' | 'copies' | 'recorded_tokens' | 'tokens_by_turn' | 'mayLack'>;

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
  /** What it has from another log. */
  readonly copies?: CopiedRecords;
}

/** What happened in the log of a part itself. */
type OwnAccount = Pick<RunAccount, 'tools' | 'files'> & { readonly failures: readonly EndingReason[] };

type OwnPart = Omit<PartAccount, 'account'> & { readonly account: OwnAccount | undefined };

const sumOf = (tools: readonly ToolUse[], count: 'calls' | 'failed'): number =>
  tools.reduce((sum, tool) => sum + tool[count], 0);

/** A subagent with what its own logs say: its calls, and what it used. */
function withParts(agent: SubagentUse, parts: readonly OwnPart[]): SubagentUse {
  const own = parts.filter(({ ids }) => ids.includes(agent.id));
  const all = own.flatMap(({ account }) => account?.tools ?? []);
  const hasCalls = own.some(({ account }) => account?.tools);
  const counts = hasCalls && { calls: sumOf(all, 'calls'), failed: sumOf(all, 'failed') };
  const used = own.flatMap(({ usage }) => (usage.usage ? [usage] : []));
  if (used.length === 0) return { ...agent, ...counts };
  const fold = new UsageFold();
  for (const { usage = [], lost_lines } of used) fold.add(usage, lost_lines);
  const { tokens, lacks, charges } = usedIn(used.length, fold);
  return { ...agent, ...counts, tokens: totalTokens(tokens), ...defined({ lacks, charges }) };
}

/** The failures and refusals in an account, in order. A call that still runs has not failed. */
const failuresIn = ({ why, onTheWay = [] }: RunAccount): EndingReason[] =>
  [...why, ...onTheWay]
    .filter(({ kind, tone }) => (tone === 'bad' || tone === 'doubtful') && kind !== 'open call')
    .sort((a, b) => a.line - b.line);

/** Leaves out what a part has from the log of the run or of an earlier part. */
function ownAccounts(run: LogUsage, parts: readonly PartAccount[]): OwnPart[] {
  const repeated = repeatedLines(
    { entries: run.usage },
    parts.map(({ usage, copies }) => ({ entries: usage.usage, copies })),
  );
  return parts.map((part, at) => {
    const { account, usage, copies } = part;
    const isOwn = ({ line }: { readonly line: number }) => !repeated[at]?.has(line);
    const calls = (usage.usage ?? []).flatMap(({ call }) => (call && isOwn(call) ? [call] : []));
    const files = account?.files?.filter(isOwn).map((file) => {
      const edits = file.edits - (copies?.edits.get(file.path) ?? 0);
      return { ...file, edits };
    });
    return {
      ...part,
      account: account && {
        failures: failuresIn(account).filter(isOwn),
        ...(account.tools && { tools: toolsOf({ calls }) }),
        ...(files && { files }),
      },
    };
  });
}

/** Adds up the calls of each tool. The last failed call is that of the last log in which one failed. */
function plusTools(all: readonly ToolUse[]): ToolUse[] {
  const tools = new Map<string, ToolUse>();
  for (const use of all) {
    const { tool, calls, failed, took_ms, untimed = 0 } = use;
    const sum = tools.get(tool);
    if (sum === undefined) tools.set(tool, use);
    else {
      const last = failed > 0 ? use : sum;
      const left = untimed + (sum.untimed ?? 0);
      tools.set(tool, {
        tool,
        calls: sum.calls + calls,
        failed: sum.failed + failed,
        ...(last.failed_line !== undefined && { failed_line: last.failed_line }),
        ...(last.failed_part !== undefined && { failed_part: last.failed_part }),
        took_ms: sum.took_ms + took_ms,
        ...(left > 0 && { untimed: left }),
      });
    }
  }
  return [...tools.values()].sort((a, b) => b.took_ms - a.took_ms || b.calls - a.calls);
}

/**
 * Adds to the account of a run what happened in the logs of its parts: calls, failures and written files, each with the name
 * of its part. Failures of a subagent are placed where it was started.
 */
export function accountWithParts(
  account: RunAccount,
  usage: LogUsage,
  logs: readonly PartAccount[],
): RunAccount {
  const { agents, onTheWay = [] } = account;
  const parts = ownAccounts(usage, logs);
  const found = parts.flatMap((part) => (part.account ? [{ ...part, account: part.account }] : []));
  const startOf = ({ ids }: Pick<PartAccount, 'ids'>): number =>
    agents?.find(({ id }) => ids.includes(id))?.line ?? Infinity;
  const failures = [
    ...onTheWay.map((reason) => ({ reason, at: reason.line })),
    ...found.flatMap(({ name, ids, account: own }) =>
      own.failures.map((reason) => ({ reason: { ...reason, part: name }, at: startOf({ ids }) })),
    ),
  ].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
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
  return {
    ...account,
    ...(failures.length > 0 && { onTheWay: failures.map(({ reason }) => reason) }),
    ...(tools.length > 0 && { tools: plusTools(tools) }),
    ...(files.length > 0 && { files }),
    ...(agents && { agents: agents.map((agent) => withParts(agent, parts)) }),
  };
}
