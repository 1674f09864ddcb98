import type { TimeOfRun, ToolUse } from '../../kit/account.ts';
import { lengthOf } from './intervals.ts';
import {
  failedAmong,
  isFailedCall,
  ownCallsOf,
  type SessionCall,
  type SessionDocument,
  type UsageEntry,
} from './session.ts';
import { workedIn } from './waits.ts';

/** The number of slowest calls that are kept. */
export const MOST_SLOWEST = 5;

/** The calls that took longest, of those with a known time. */
export function slowestAmong(calls: readonly SessionCall[]): TimeOfRun['slowest'] {
  return calls
    .flatMap((call) =>
      call.duration_ms === undefined || call.duration_ms === 0 ? [] : [{ call, took: call.duration_ms }],
    )
    .sort((a, b) => b.took - a.took)
    .slice(0, MOST_SLOWEST)
    .map(({ call, took }) => ({
      line: call.line,
      tool: call.tool,
      input: call.input,
      took_ms: took,
      ...(call.waited_ms !== undefined && { waited_ms: call.waited_ms }),
    }));
}

/** Calls by tool, the longest time first. */
export function toolsOf({ calls }: Pick<SessionDocument, 'calls'>): ToolUse[] {
  const tools = new Map<
    string,
    {
      of: SessionCall[];
      failed_line?: number;
      took_ms: number;
      untimed?: number;
      is_minimum?: true;
    }
  >();
  for (const call of calls) {
    const sum = tools.get(call.tool) ?? { of: [], took_ms: 0 };
    tools.set(call.tool, sum);
    sum.of.push(call);
    sum.took_ms += call.duration_ms ?? call.at_least_ms ?? 0;
    if (call.at_least_ms !== undefined) sum.is_minimum = true;
    if (call.at_most_ms !== undefined) sum.untimed = (sum.untimed ?? 0) + 1;
    if (isFailedCall(call)) sum.failed_line = call.line;
  }
  return [...tools]
    .map(([tool, { of, ...sum }]) => ({ tool, calls: of.length, ...failedAmong(of), ...sum }))
    .sort((a, b) => b.took_ms - a.took_ms || b.calls - a.calls);
}

/**
 * Where the time of a session went. The parts add up to the time that the session lasted: calls at the same time
 * count once, and what remains of the turns is the model's. Undefined if the session has no turn with times, or all its times are equal.
 */
export function timeOfSession(
  session: SessionDocument,
  entries: readonly UsageEntry[],
): TimeOfRun | undefined {
  const { lasted_ms: lasted = 0, turns } = session;
  const { waited_ms: waited = 0, idle_ms: idle = 0, unknown_ms: unknown = 0 } = session;
  const hasTimes = turns.some(
    (turn) => !turn.copied && turn.time !== undefined && turn.duration_ms !== undefined,
  );
  if (lasted === 0 || !hasTimes) return undefined;
  const inTurns = Math.min(waited, Math.max(0, lasted - idle - unknown));
  const working = Math.max(0, lasted - idle - unknown - inTurns);
  const intervals = entries.flatMap(({ call, time }) => (call && workedIn(call, time)) ?? []);
  const tools = Math.min(lengthOf(intervals), working);
  return {
    lasted_ms: lasted,
    model_ms: working - tools,
    tools_ms: tools,
    waited_ms: inTurns,
    idle_ms: idle,
    ...(unknown > 0 && { unknown_ms: unknown }),
    slowest: slowestAmong(ownCallsOf(session)),
  };
}
