import { grouped } from '../../base/text/grouped.ts';
import type { PartStory, Story, StoryItem, StoryTurn } from '../../dialects/kit/story.ts';
import { callsOfTurn } from './calls-of-turn.ts';

/** The steps of a subagent as one turn, without its name, which the turn does not need. */
function turnOf(items: readonly StoryItem[]): StoryTurn[] {
  const [first] = items;
  if (first === undefined) return [];
  const { line, time } = first;
  const own = items.map(({ agent: _, ...item }): StoryItem => item);
  return [{ turn: 1, line, ...(time !== undefined && { time }), items: own }];
}

/**
 * A story in which the steps of subagents that are in the log of the run are below the calls that started these, as if they had
 * logs of their own. If they are folded, these steps are left out.
 */
export function foldedStory(story: Story, isOpen: boolean): Story {
  const { turns, subagent_runs: runs = [] } = story;
  const started = turns.flatMap(({ items }) =>
    items.flatMap((item) => (item.kind === 'call' && item.subagents) || []),
  );
  const inLog = [...started, ...runs].filter(({ log }) => log === undefined);
  if (inLog.length === 0) return story;
  const names = new Set(inLog.map(({ name }) => name));
  const isOfAgent = ({ agent }: StoryItem) => agent !== undefined && names.has(agent);
  const steps = grouped(
    turns.flatMap(({ items }) => items.filter(isOfAgent)),
    ({ agent }) => agent,
  );
  // A log can say that two subagents started each other, so each is shown once.
  const shown = new Set<string>();
  const entries = (parts: readonly PartStory[]): PartStory[] =>
    parts.flatMap((part) => {
      if (part.log !== undefined) return [part];
      if (shown.has(part.name)) return [];
      shown.add(part.name);
      const own = (steps.get(part.name) ?? []).map(withEntries);
      if (isOpen) return [{ ...part, turns: turnOf(own) }];
      const below = own.flatMap((item) => (item.kind === 'call' && item.subagents) || []);
      return [below.length === 0 ? part : { ...part, subagents: below }];
    });
  const withEntries = (item: StoryItem): StoryItem => {
    if (item.kind !== 'call' || item.subagents === undefined) return item;
    const { subagents, ...call } = item;
    const below = entries(subagents);
    return below.length === 0 ? call : { ...call, subagents: below };
  };
  const folded = turns.map((turn): StoryTurn => {
    const own = turn.items.filter((item) => !isOfAgent(item));
    const items = own.map(withEntries);
    return own.length === turn.items.length
      ? { ...turn, items }
      : { ...turn, items, all_calls: callsOfTurn(turn) };
  });
  const rest = entries([...runs, ...inLog]);
  const { subagent_runs: _, ...whole } = story;
  return { ...whole, turns: folded, ...(rest.length > 0 && { subagent_runs: rest }) };
}
