import type { Story } from '../../dialects/kit/story.ts';

/** A range of numbers, both ends inclusive. */
export interface NumberRange {
  readonly from: number;
  readonly to: number;
}

interface StoryPart {
  readonly turns?: NumberRange | undefined;
  readonly lines?: NumberRange | undefined;
}

const isIn = (value: number, range: NumberRange | undefined): boolean =>
  range === undefined || (value >= range.from && value <= range.to);

/**
 * The turns and items in both ranges. A turn keeps its heading if any of its lines is wanted. Lines are those of the log of
 * the run, not of its further logs.
 */
export function partOfStory({ turns, subagent_runs: others, ...story }: Story, part: StoryPart): Story {
  const isWhole = part.turns === undefined && part.lines === undefined;
  return {
    ...story,
    ...(isWhole && others && { subagent_runs: others }),
    turns: turns
      .filter(
        ({ turn, part: log }) => isIn(turn, part.turns) && (part.lines === undefined || log === undefined),
      )
      .map((turn) => ({ ...turn, items: turn.items.filter(({ line }) => isIn(line, part.lines)) }))
      .filter(({ items }) => part.lines === undefined || items.length > 0),
  };
}
