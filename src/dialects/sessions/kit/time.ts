import { parseInstant } from '../../../base/time/instant.ts';
import type { TimeOfRun, ToolUse } from '../../kit/account.ts';
import { isFailedCall, type SessionCall, type SessionDocument, type UsageEntry } from './session.ts';
import { type Interval, lengthOf } from './waits.ts';

/** The number of slowest calls that are kept. */
const MOST_SLOWEST = 5;

/** How long a call worked. */
type WorkOf = (call: SessionCall) => number;

/**
 * How long calls worked: without the time that a person took. 0 if the log does not say when the person answered, so the
 * call may have worked all the time that its turn worked, or hardly at all.
 */
function workIn({ turns }: Pick<SessionDocument, 'turns'>): WorkOf {
  return ({ line, duration_ms: took = 0, waited_ms: waited = 0 }) => {
    const work = Math.max(0, took - waited);
    const turn = waited > 0 ? turns.findLast((one) => one.line <= line) : undefined;
    return turn?.worked_ms !== undefined && work >= turn.worked_ms ? 0 : work;
  };
}

/** The interval in which a call worked. `ended`: the time of its result. */
function intervalOf(call: SessionCall, ended: string | undefined, workOf: WorkOf): Interval[] {
  const to = parseInstant(ended ?? '');
  const work = workOf(call);
  return to === undefined || call.result_line === undefined || work === 0 ? [] : [{ from: to - work, to }];
}

/** Calls by tool, the longest time first. */
export function toolsOf(session: Pick<SessionDocument, 'turns' | 'calls'>): ToolUse[] {
  const workOf = workIn(session);
  const tools = new Map<string, { calls: number; failed: number; failed_line?: number; took_ms: number }>();
  for (const call of session.calls) {
    const sum = tools.get(call.tool) ?? { calls: 0, failed: 0, took_ms: 0 };
    tools.set(call.tool, sum);
    sum.calls += 1;
    sum.took_ms += workOf(call);
    if (!isFailedCall(call)) continue;
    sum.failed += 1;
    sum.failed_line = call.line;
  }
  return [...tools]
    .map(([tool, sum]) => ({ tool, ...sum }))
    .sort((a, b) => b.took_ms - a.took_ms || b.calls - a.calls);
}

/**
 * Where the time of a session went. The four parts add up to the time that the session lasted: calls at the same time
 * count once, and what remains of the turns is the model's. Undefined if the session has no turn with times.
 */
export function timeOfSession(
  session: SessionDocument,
  entries: readonly UsageEntry[],
): TimeOfRun | undefined {
  const { started_at, ended_at, turns, calls, waited_ms: waited = 0 } = session;
  const workOf = workIn(session);
  const [start, end] = [parseInstant(started_at ?? ''), parseInstant(ended_at ?? '')];
  const active = turns.flatMap(({ time, duration_ms: took }) => {
    const from = parseInstant(time ?? '');
    return from === undefined || took === undefined ? [] : [{ from, to: from + took }];
  });
  if (start === undefined || end === undefined || active.length === 0) return undefined;
  const lasted = Math.max(0, end - start);
  const worked = Math.min(lasted, lengthOf(active));
  const inTurns = Math.min(waited, worked);
  const intervals = entries.flatMap(({ call, time }) => (call ? intervalOf(call, time, workOf) : []));
  const tools = Math.min(lengthOf(intervals), worked - inTurns);
  const slowest = calls
    .filter((call) => workOf(call) > 0)
    .sort((a, b) => workOf(b) - workOf(a))
    .slice(0, MOST_SLOWEST);
  return {
    lasted_ms: lasted,
    model_ms: worked - inTurns - tools,
    tools_ms: tools,
    waited_ms: inTurns,
    idle_ms: lasted - worked,
    slowest: slowest.map((call) => ({
      line: call.line,
      tool: call.tool,
      input: call.input,
      took_ms: workOf(call),
      ...(call.waited_ms !== undefined && { waited_ms: call.waited_ms }),
    })),
  };
}
