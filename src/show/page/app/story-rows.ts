import type { StoryItem, StoryTurn } from '../../../dialects/kit/story.ts';
import { isFailedCall } from '../../../dialects/sessions/kit/session.ts';
import { pauseBetween, turnFoot } from '../../render/story-words.ts';
import type { Episode } from './episode.ts';

/** A row of the story: the heading of a turn, an item, or the summary after a turn. */
export type StoryRow =
  | { readonly kind: 'turn'; readonly line: number; readonly turn: StoryTurn; readonly pause: string }
  | { readonly kind: 'item'; readonly line: number; readonly item: StoryItem }
  | { readonly kind: 'foot'; readonly line: number; readonly text: string };

/** A place on the axis of the story. */
export interface Mark {
  readonly row: number;
  readonly line: number;
  readonly kind: 'turn' | 'bad' | 'finding';
  readonly label: string;
}

/** Whether an item failed. */
export const isTrouble = (item: StoryItem): boolean =>
  item.kind === 'call' ? isFailedCall(item) : 'tone' in item && item.tone === 'bad';

/** The story of a run, row by row. */
export class StoryRows {
  readonly rows: readonly StoryRow[];
  readonly #episode: Episode;
  readonly #byLine = new Map<number, number>();

  constructor(episode: Episode) {
    this.#episode = episode;
    const { story } = episode.document;
    const rows: StoryRow[] = [];
    const { turns } = story;
    for (const [index, turn] of turns.entries()) {
      const { line } = turn;
      // A format without turns has a single heading, which says nothing.
      if (turns.length > 1 || turn.turn !== 0)
        rows.push({ kind: 'turn', line, turn, pause: pauseBetween(turns[index - 1], turn) });
      for (const item of turn.items) {
        if (!this.#byLine.has(item.line)) this.#byLine.set(item.line, rows.length);
        rows.push({ kind: 'item', line: item.line, item });
      }
      const text = turnFoot(turn);
      if (text !== '') rows.push({ kind: 'foot', line, text });
    }
    for (const [at, row] of rows.entries()) {
      const result = row.kind === 'item' && row.item.kind === 'call' ? row.item.result_line : undefined;
      if (result !== undefined && !this.#byLine.has(result)) this.#byLine.set(result, at);
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
      (best, { kind, line: at }, index) =>
        kind === 'item' && at <= line && at > (this.rows[best]?.line ?? -1) ? index : best,
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
      if (row?.kind === 'item' && test(row.item)) return row.item;
    }
    return undefined;
  }

  /** The marks of turns, failures and findings, in order. */
  marks(episode: Episode): Mark[] {
    const marks = this.rows.flatMap((row, at): Mark[] => {
      if (row.kind === 'turn') return [{ row: at, line: row.line, kind: 'turn', label: `line ${row.line}` }];
      if (row.kind === 'foot' || !isTrouble(row.item)) return [];
      const what = row.item.kind === 'call' ? row.item.tool : 'title' in row.item ? row.item.title : '';
      return [{ row: at, line: row.line, kind: 'bad', label: `failed: ${what}, line ${row.line}` }];
    });
    const found = episode.foundRows.flatMap((row): Mark[] => {
      const line = episode.table.line[row] ?? 0;
      const [finding] = episode.findings(row);
      const label = `finding: ${finding?.code}, line ${line}`;
      return [{ row: Math.max(0, this.near(line)), line, kind: 'finding', label }];
    });
    return [...marks, ...found];
  }

  /** The time of a row, or of the last row before it that has one, in milliseconds since the first event. */
  timeAt(row: number): number | undefined {
    for (let at = Math.min(row, this.rows.length - 1); at >= 0; at -= 1) {
      const { kind, line = 0 } = this.rows[at] ?? {};
      // The summary of a turn has the line at which the turn begins.
      const start = kind === 'foot' ? undefined : this.#episode.table.start[this.#episode.rowOfLine(line)];
      if (typeof start === 'number') return start;
    }
    return undefined;
  }
}
