import { modelsOf } from '../../dialects/kit/charges.ts';
import type { FindPrices, Prices } from '../../dialects/kit/prices.ts';
import type { PartStory, Story, StoryTurn } from '../../dialects/kit/story.ts';
import { withCostOf, withCosts } from '../../dialects/kit/usage.ts';
import { partsIn } from './story-parts.ts';

/** The costs of a story, of its turns and of its subagents, instead of the charges. */
export async function storyWithCosts(story: Story, find: FindPrices): Promise<Story> {
  const below = partsIn({ turns: story.turns, subagents: story.subagent_runs ?? [] });
  const charges = [story, ...story.turns, ...below].flatMap((one) => one.charges ?? []);
  const prices = await find(modelsOf(charges));
  const { subagent_runs: parts } = story;
  return {
    ...withCosts(story, prices),
    turns: turnsWithCosts(story.turns, prices),
    ...(parts && { subagent_runs: parts.map((part) => partWithCosts(part, prices)) }),
  };
}

const turnsWithCosts = (turns: readonly StoryTurn[], prices: Prices | undefined): StoryTurn[] =>
  turns.map((turn) => ({
    ...withCostOf(turn, prices),
    items: turn.items.map((item) =>
      item.kind === 'call' && item.subagents
        ? { ...item, subagents: item.subagents.map((part) => partWithCosts(part, prices)) }
        : item,
    ),
  }));

function partWithCosts(part: PartStory, prices: Prices | undefined): PartStory {
  const { turns, subagents } = part;
  return {
    ...withCostOf(part, prices),
    ...(turns && { turns: turnsWithCosts(turns, prices) }),
    ...(subagents && { subagents: subagents.map((one) => partWithCosts(one, prices)) }),
  };
}
