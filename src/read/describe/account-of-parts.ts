import type { Account, EndingReason, SubagentUse, ToolUse, WrittenFile } from '../../dialects/kit/account.ts';
import { totalTokens } from '../../dialects/kit/tokens.ts';
import { type LogUsage, UsageFold, usedIn } from '../../dialects/kit/usage.ts';

/** The account of a run without its usage, which is added up separately. */
export type RunAccount = Omit<Account, 'usage' | 'recorded_tokens' | 'tokens_by_turn' | 'mayLack'>;

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

const sumOf = (tools: readonly ToolUse[], count: 'calls' | 'failed'): number =>
  tools.reduce((sum, tool) => sum + tool[count], 0);

/** A subagent with what its own log says: its calls, and what it used. */
function withPart(agent: SubagentUse, parts: readonly PartAccount[]): SubagentUse {
  const part = parts.find(({ ids }) => ids.includes(agent.id));
  const { tools } = part?.account ?? {};
  const counts = tools && { calls: sumOf(tools, 'calls'), failed: sumOf(tools, 'failed') };
  if (part?.usage.usage === undefined) return { ...agent, ...counts };
  const fold = new UsageFold();
  fold.add(part.usage.usage);
  const { tokens, charges } = usedIn(1, fold);
  return { ...agent, ...counts, tokens: totalTokens(tokens), ...(charges && { charges }) };
}

/** The failures and refusals in an account. */
const failuresIn = ({ why, onTheWay = [] }: RunAccount): EndingReason[] =>
  [...why, ...onTheWay].filter(({ tone }) => tone === 'bad' || tone === 'doubtful');

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
export function accountWithParts(account: RunAccount, parts: readonly PartAccount[]): RunAccount {
  const { agents, onTheWay = [] } = account;
  const found = parts.flatMap((part) => (part.account ? [{ ...part, account: part.account }] : []));
  const startOf = ({ ids }: Pick<PartAccount, 'ids'>): number =>
    agents?.find(({ id }) => ids.includes(id))?.line ?? Infinity;
  const failures = [
    ...onTheWay.map((reason) => ({ reason, at: reason.line })),
    ...found.flatMap(({ name, ids, account: own }) =>
      failuresIn(own).map((reason) => ({ reason: { ...reason, part: name }, at: startOf({ ids }) })),
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
    ...(agents && { agents: agents.map((agent) => withPart(agent, parts)) }),
  };
}
