import type { DividerItem, Story, StoryItem, StoryTurn } from '../../dialects/kit/story.ts';

/** Lost lines, in order, that are taken from the first to the last. */
export class LostLines {
  readonly #lines: ArrayLike<number>;
  #at = 0;

  constructor(lines: ArrayLike<number>) {
    this.#lines = lines;
  }

  /** Takes those up to a line, as one item: of a lost line, a last record may be whole. No item, if no line is lost there. */
  upTo(line: number, consequence = ''): DividerItem[] {
    const from = this.#at;
    while (this.#at < this.#lines.length && (this.#lines[this.#at] ?? 0) <= line) this.#at += 1;
    const count = this.#at - from;
    if (count === 0) return [];
    const [first = 0, last = 0] = [this.#lines[from], this.#lines[this.#at - 1]];
    const what =
      count === 1 ? 'a damaged line is left out' : `${count} damaged lines up to line ${last} are left out`;
    return [{ kind: 'divider', line: first, title: what + consequence, tone: 'bad', damaged: count }];
  }
}

/** What a damaged line means for the items after it: its record may have been a prompt. */
const OTHER_TURN = '; what follows may belong to another turn';

/**
 * A story that says at their places which lines could not be read. `isSession`: its turns begin with prompts, one of which may
 * have been lost.
 */
export function storyWithLostLines(story: Story, lines: ArrayLike<number>, isSession: boolean): Story {
  if (lines.length === 0) return story;
  const lost = new LostLines(lines);
  const consequence = isSession ? OTHER_TURN : '';
  const [first] = story.turns;
  const before = first === undefined || first.turn > 0 ? lost.upTo(first?.line ?? Infinity) : [];
  const turns = story.turns.map((turn, index): StoryTurn => {
    const next = story.turns[index + 1]?.line ?? Infinity;
    const items = turn.items.flatMap((item): StoryItem[] => [
      ...lost.upTo(Math.min(item.line, next), consequence),
      item,
    ]);
    return { ...turn, items: [...items, ...lost.upTo(next)] };
  });
  return { ...story, turns: before.length === 0 ? turns : [{ turn: 0, line: 1, items: before }, ...turns] };
}
