import { grouped } from '../../../base/text/grouped.ts';
import { endedBadly } from '../../kit/agents-section.ts';
import { firstLine } from '../../kit/excerpt.ts';
import type { PartStory } from '../../kit/story.ts';
import { usedByAnswers } from '../../kit/usage.ts';
import {
  failedAmong,
  type SessionAgent,
  type SessionDocument,
  titleOfAgent,
  type UsageEntry,
} from './session.ts';

/** What a session says of the calls and answers of a subagent whose records are in its log. */
function partOf(
  agent: SessionAgent,
  calls: SessionDocument['calls'],
  answers: readonly UsageEntry[],
): PartStory {
  const { id, status = 'unknown' } = agent;
  const title = firstLine(titleOfAgent(agent));
  const own = calls.filter(({ copied }) => !copied);
  return {
    name: id,
    ...(title !== '' && { title }),
    status,
    ...(endedBadly(status) && { tone: 'bad' }),
    calls: own.length,
    ...failedAmong(own),
    ...usedByAnswers(answers),
  };
}

/**
 * The subagents of which the story of a session has the steps, because their records are in its log: by the id of the call that
 * started them, and those that no call is known to have started. `ids`: those that steps name.
 */
export function agentsInLog(
  { agents, calls }: Pick<SessionDocument, 'agents' | 'calls'>,
  entries: readonly UsageEntry[],
  ids: ReadonlySet<string>,
): { readonly byCall: ReadonlyMap<string, readonly PartStory[]>; readonly others: readonly PartStory[] } {
  if (ids.size === 0) return { byCall: new Map(), others: [] };
  const callsOf = grouped(calls, ({ agent }) => agent);
  const answersOf = grouped(entries, ({ by }) => by);
  const callers = new Map(calls.flatMap(({ id, agent }) => (id === undefined ? [] : [[id, agent] as const])));
  const found = agents
    .filter(({ id }) => ids.has(id))
    .map((agent) => {
      const { id, call = '' } = agent;
      const part = partOf(agent, callsOf.get(id) ?? [], answersOf.get(id) ?? []);
      // A log can say that a subagent started itself.
      return { part, call: callers.has(call) && callers.get(call) !== id ? call : undefined };
    });
  const byCall = new Map<string, readonly PartStory[]>();
  for (const [call, parts] of grouped(found, (one) => one.call))
    if (call !== undefined)
      byCall.set(
        call,
        parts.map(({ part }) => part),
      );
  return { byCall, others: found.filter(({ call }) => call === undefined).map(({ part }) => part) };
}
