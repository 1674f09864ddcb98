import type { DividerItem, Story, StoryItem, StoryTurn } from '../../dialects/kit/story.ts';

/** Lost lines, in order, that are taken from the first to the last. */
export class LostLines {
  readonly #lines: ArrayLike<number>;
  #at = 0;

  constructor(lines: ArrayLike<number>) {
    this.#lines = lines;
  }

  /** Takes those before a line, as one item. No item, if no line is lost there. */
  before(line: number, consequence = ''): DividerItem[] {
    const first = this.#lines[this.#at] ?? line;
    let [last, count] = [0, 0];
    for (; (this.#lines[this.#at] ?? line) < line; this.#at += 1) {
      last = this.#lines[this.#at] ?? 0;
      count += 1;
    }
    if (count === 0) return [];
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
  const before = first === undefined || first.turn > 0 ? lost.before(first?.line ?? Infinity) : [];
  const turns = story.turns.map((turn, index): StoryTurn => {
    const next = story.turns[index + 1]?.line ?? Infinity;
    const items = turn.items.flatMap((item): StoryItem[] => [
      ...lost.before(Math.min(item.line, next), consequence),
      item,
    ]);
    return { ...turn, items: [...items, ...lost.before(next)] };
  });
  return { ...story, turns: before.length === 0 ? turns : [{ turn: 0, line: 1, items: before }, ...turns] };
}
