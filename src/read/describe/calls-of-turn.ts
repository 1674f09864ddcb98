import type { StoryItem, StoryTurn, TurnCalls } from '../../dialects/kit/story.ts';
import { failedAmong } from '../../dialects/sessions/kit/session.ts';

/** The items of a turn before its first damaged line. What follows that may belong to another turn. */
function sureItems(items: readonly StoryItem[]): readonly StoryItem[] {
  const damaged = items.findIndex((item) => item.kind === 'divider' && item.damaged !== undefined);
  return damaged < 0 ? items : items.slice(0, damaged);
}

/**
 * The calls of a turn, and those of them that failed. Only the turns of a session lack lines. Of a turn of which only the beginning was
 * copied, the rest counts.
 */
export function callsOfTurn({ items, lacks, copied, all_calls: known }: StoryTurn): TurnCalls {
  if (known !== undefined) return known;
  const shown = lacks?.lines === undefined ? items : sureItems(items);
  const calls = shown.filter((item) => item.kind === 'call').filter((call) => copied || !call.copied);
  return { calls: calls.length, ...failedAmong(calls) };
}
