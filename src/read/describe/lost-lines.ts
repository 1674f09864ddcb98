import type { DividerItem, Story, StoryItem, StoryTurn } from '../../dialects/kit/story.ts';
import type { Lacks } from '../../dialects/kit/tokens.ts';

/** A turn: it begins on its line, and the next one ends it. */
interface Turn {
  readonly line: number;
  readonly lacks?: Lacks;
}

/**
 * Says of each turn of a session how many lines in it could not be read. Turns and lines are in order. Lines before the first
 * turn belong to no turn.
 */
export function withLostLines<Of extends Turn>(turns: readonly Of[], lost: ArrayLike<number>): readonly Of[] {
  if (lost.length === 0) return turns;
  let at = 0;
  const skipUntil = (line: number): number => {
    const from = at;
    while ((lost[at] ?? line) < line) at += 1;
    return at - from;
  };
  skipUntil(turns[0]?.line ?? 0);
  return turns.map((turn, index) => {
    const lines = skipUntil(turns[index + 1]?.line ?? Infinity);
    return lines === 0 ? turn : { ...turn, lacks: { ...turn.lacks, lines } };
  });
}

/** Lost lines, in order, that are taken from the first to the last. */
class LostLines {
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
      const lost = this.#lines[this.#at] ?? 0;
      // A line may have several faults.
      if (lost !== last) count += 1;
      last = lost;
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
  const known = isSession ? withLostLines(story.turns, lines) : story.turns;
  const turns = known.map((turn, index): StoryTurn => {
    const next = known[index + 1]?.line ?? Infinity;
    const items = turn.items.flatMap((item): StoryItem[] => [
      ...lost.before(Math.min(item.line, next), consequence),
      item,
    ]);
    return { ...turn, items: [...items, ...lost.before(next)] };
  });
  return { ...story, turns: before.length === 0 ? turns : [{ turn: 0, line: 1, items: before }, ...turns] };
}
