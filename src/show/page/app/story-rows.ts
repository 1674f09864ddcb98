import type { StoryItem, StoryTurn } from '../../../dialects/kit/story.ts';
import { isFailedCall } from '../../../dialects/sessions/kit/session.ts';
import { pauseBetween, turnFoot } from '../../render/story-words.ts';
import type { Episode } from './episode.ts';
import { wordPattern } from './word-pattern.ts';

interface RowPlace {
  readonly line: number;
  /** The further log of the run that has the line. The page has only the records of the log of the run. */
  readonly part?: string | undefined;
}

/** A row of the story: the heading of a turn, an item, or the summary after a turn. */
export type StoryRow = RowPlace &
  (
    | { readonly kind: 'turn'; readonly turn: StoryTurn; readonly pause: string }
    | { readonly kind: 'item'; readonly item: StoryItem }
    | { readonly kind: 'foot'; readonly text: string }
  );

/** A place on the axis of the story. */
export interface Mark {
  readonly row: number;
  readonly line: number;
  readonly kind: 'turn' | 'bad' | 'finding';
  readonly label: string;
}

/** Whether a row is an item of the log of the run, whose records the page has. */
export const isOwnItem = (row: StoryRow): row is Extract<StoryRow, { readonly kind: 'item' }> =>
  row.kind === 'item' && row.part === undefined;

/** Whether an item failed. */
export const isTrouble = (item: StoryItem): boolean =>
  item.kind === 'call' ? isFailedCall(item) : 'tone' in item && item.tone === 'bad';

/** Whether an item is about damaged lines, which are no failure of the run. */
export const isDamage = (item: StoryItem): boolean => item.kind === 'divider' && item.damaged !== undefined;

/** What a user wants to copy of an item: the input of a call, or a text. */
export function textToCopy(item: StoryItem): { readonly text: string; readonly what: string } | undefined {
  const [text = '', what] = item.kind === 'call' ? [item.input, 'input'] : [item.text, 'text'];
  return text === '' ? undefined : { text, what };
}

/** The steps of the subagents that a call started, if the log of the run has them. They are in the row of the call. */
function stepsBelow(item: StoryItem): readonly StoryItem[] {
  if (item.kind !== 'call') return [];
  return (item.subagents ?? [])
    .filter(({ log }) => log === undefined)
    .flatMap(({ turns = [] }) => turns.flatMap(({ items }) => items))
    .flatMap((step) => [step, ...stepsBelow(step)]);
}

/** The texts of an item. */
function textsOf(item: StoryItem, hasOutputs: boolean): readonly (string | undefined)[] {
  const { agent } = item;
  if (item.kind === 'call') {
    const { tool, input, output, points = [], changes = [] } = item;
    const diffs = changes.flatMap(({ path, diff }) => [path, diff]);
    const below = stepsBelow(item).flatMap((step) => textsOf(step, hasOutputs));
    return [
      agent,
      tool,
      input,
      hasOutputs ? output : '',
      ...points.map(({ text }) => text),
      ...diffs,
      ...below,
    ];
  }
  if (item.kind === 'note')
    return [agent, item.title, item.text, ...(item.points ?? []).map(({ text }) => text)];
  return [agent, item.kind === 'divider' ? item.title : item.speaker, item.text];
}

/** A part of a story: only these items, without the summaries of turns. */
export type Wanted = (item: StoryItem) => boolean;

/** The story of a run, row by row. */
export class StoryRows {
  readonly rows: readonly StoryRow[];
  readonly #episode: Episode;
  readonly #byLine = new Map<number, number>();

  constructor(episode: Episode, wanted?: Wanted) {
    this.#episode = episode;
    // Steps of subagents that are asked for need not be looked for below their calls.
    const story = wanted === undefined ? episode.folded : episode.document.story;
    const rows: StoryRow[] = [];
    const { turns } = story;
    for (const [index, turn] of turns.entries()) {
      const { line, part } = turn;
      const items = wanted === undefined ? turn.items : turn.items.filter(wanted);
      if (wanted !== undefined && items.length === 0) continue;
      // A format without turns has a single heading, which says nothing.
      if (turns.length > 1 || turn.turn !== 0) {
        const pause = wanted === undefined ? pauseBetween(turns[index - 1], turn) : '';
        rows.push({ kind: 'turn', line, part, turn, pause });
      }
      for (const item of items) {
        if (part === undefined && !this.#byLine.has(item.line)) this.#byLine.set(item.line, rows.length);
        rows.push({ kind: 'item', line: item.line, item, part });
      }
      const text = wanted === undefined ? turnFoot(turn) : '';
      if (text !== '') rows.push({ kind: 'foot', line, part, text });
    }
    for (const [at, row] of rows.entries())
      for (const item of isOwnItem(row) ? [row.item, ...stepsBelow(row.item)] : []) {
        const result = item.kind === 'call' ? item.result_line : undefined;
        for (const line of [item.line, result])
          if (line !== undefined && !this.#byLine.has(line)) this.#byLine.set(line, at);
      }
    this.rows = rows;
  }

  /** The row with a log line; -1 if the story leaves it out. */
  at(line: number): number {
    return this.#byLine.get(line) ?? -1;
  }

  /** The row with a log line, or the last one before it. */
  near(line: number): number {
    const row = this.at(line);
    if (row >= 0) return row;
    return this.rows.reduce(
      (best, row, index) =>
        isOwnItem(row) && row.line <= line && row.line > (this.rows[best]?.line ?? -1) ? index : best,
      -1,
    );
  }

  /** The subagent of a row, unless the row above has the same. */
  newAgentAt(at: number): string | undefined {
    const [before, row] = [this.rows[at - 1], this.rows[at]];
    const agent = row?.kind === 'item' ? row.item.agent : undefined;
    return before?.kind === 'item' && before.item.agent === agent ? undefined : agent;
  }

  item(line: number): StoryItem | undefined {
    const row = this.rows[this.at(line)];
    return row?.kind === 'item' ? row.item : undefined;
  }

  /** The next item from a row, in a direction, that passes a test. */
  next(from: number, step: 1 | -1, test: (item: StoryItem) => boolean = () => true): StoryItem | undefined {
    for (let at = from + step; at >= 0 && at < this.rows.length; at += step) {
      const row = this.rows[at];
      if (row !== undefined && isOwnItem(row) && test(row.item)) return row.item;
    }
    return undefined;
  }

  /** The number of units of all texts. */
  get size(): number {
    let size = 0;
    for (const row of this.rows)
      if (row.kind === 'item') for (const text of textsOf(row.item, true)) size += text?.length ?? 0;
    return size;
  }

  /** The rows of the items with a text, ignoring case. */
  search(sought: string, hasOutputs: boolean): readonly number[] {
    if (sought === '') return [];
    const pattern = wordPattern(sought, 'i');
    const has = (text: string | undefined) => text !== undefined && pattern.test(text);
    return [...this.rows.keys()].filter((at) => {
      const row = this.rows[at];
      return row?.kind === 'item' && textsOf(row.item, hasOutputs).some(has);
    });
  }

  /** The row of the heading of the turn that a row belongs to; -1 without one. */
  turnAt(row: number): number {
    for (let at = Math.min(row, this.rows.length - 1); at >= 0; at -= 1)
      if (this.rows[at]?.kind === 'turn') return at;
    return -1;
  }

  /** The first item of the next turn in a direction. Backwards, first the beginning of the same turn. */
  nextTurn(from: number, step: 1 | -1): StoryItem | undefined {
    let heading = this.turnAt(from);
    const isFirst = step < 0 && this.rows[from - 1]?.kind === 'turn';
    if (step > 0) heading = this.rows.findIndex(({ kind }, at) => at > from && kind === 'turn');
    else if (isFirst) heading = this.turnAt(heading - 1);
    return heading < 0 ? undefined : this.next(heading, 1);
  }

  /** Whether a call has an output, which can be hidden. */
  get hasOutput(): boolean {
    return this.rows.some(
      (row) => row.kind === 'item' && row.item.kind === 'call' && row.item.output !== undefined,
    );
  }

  /** The tools of all calls, the most used first. */
  get tools(): readonly string[] {
    const counts = new Map<string, number>();
    for (const row of this.rows)
      if (row.kind === 'item' && row.item.kind === 'call')
        counts.set(row.item.tool, (counts.get(row.item.tool) ?? 0) + 1);
    return [...counts].sort(([, a], [, b]) => b - a).map(([tool]) => tool);
  }

  /** The marks of turns, failures and findings, in order. */
  marks(episode: Episode): Mark[] {
    const marks = this.rows.flatMap((row, at): Mark[] => {
      if (row.kind === 'foot' || row.part !== undefined) return [];
      if (row.kind === 'turn') return [{ row: at, line: row.line, kind: 'turn', label: `line ${row.line}` }];
      return [row.item, ...stepsBelow(row.item)].filter(isTrouble).map((item) => {
        const { line } = item;
        const what = item.kind === 'call' ? item.tool : 'title' in item ? item.title : '';
        const label = isDamage(item) ? `damaged line ${line}: ${what}` : `failed: ${what}, line ${line}`;
        return { row: at, line, kind: 'bad', label };
      });
    });
    const found = episode.foundRows.flatMap((row): Mark[] => {
      const line = episode.table.line[row] ?? 0;
      const [finding] = episode.findings(row);
      const label = `finding: ${finding?.message}, line ${line}`;
      return [{ row: Math.max(0, this.near(line)), line, kind: 'finding', label }];
    });
    return [...marks, ...found];
  }

  /** The time of a row, or of the last row before it that has one, in milliseconds since the first event. */
  timeAt(row: number): number | undefined {
    for (let at = Math.min(row, this.rows.length - 1); at >= 0; at -= 1) {
      const { kind = 'foot', line = 0, part } = this.rows[at] ?? {};
      // The summary of a turn has the line at which the turn begins.
      const hasTime = kind !== 'foot' && part === undefined;
      const start = hasTime ? this.#episode.table.start[this.#episode.rowOfLine(line)] : undefined;
      if (typeof start === 'number') return start;
    }
    return undefined;
  }
}
