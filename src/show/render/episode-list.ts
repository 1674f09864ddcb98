import type { EpisodeSummary } from '../../find/summary.ts';
import { escapeText } from './escape.ts';
import {
  briefNames,
  type Column,
  columnsFor,
  type EpisodeListOptions,
  hasLinesBelow,
  hasSeveralDialects,
  repairText,
} from './list-columns.ts';
import { type Paint, tonePaint } from './style.ts';
import { tableLine } from './table-line.ts';
import { displayWidth, truncateToWidth } from './width.ts';

/** The share of the terminal that a long title gets before optional columns. */
const TITLE_PART = 0.3;
/** The share that it gets before the dialect, which says what program a run is of. */
const TITLE_PART_BY_DIALECT = 0.2;
/**
 * The share of the terminal that an id may take; a longer id is on a line below its row. Runs of several dialects have a
 * column more, and less room for ids.
 */
const ID_PART = { ofOne: 0.4, ofSeveral: 0.3 };
/** An id of this length is in its row on any terminal. */
const MIN_ID_WIDTH = 24;
/** An id of this length is in its row, also if a wider column takes the room of another one. */
const SHORT_ID_WIDTH = 13;
/** The share of the ids that decides how wide their column is, if a wider one would take the room of another column. */
const MOST_IDS = 0.8;
/** Without a terminal, nothing is cut. A longer text moves the rest of its row, because padding would make every row long. */
const MAX_PADDED = 40;
const PATH_INDENT = '  ';

/** How much room ids have in their rows. */
type Room = 'usual' | 'little';

/** A column with its cells and width. */
interface LaidColumn extends Column {
  readonly cells: readonly string[];
  readonly width: number;
}

/** The column of an order, if that is not always shown. */
const COLUMN_OF: Readonly<Record<string, string>> = {
  tokens: 'TOKENS',
  cost: 'COST',
  took: 'LASTED',
  size: 'LOG',
};

/**
 * The ids that are shown in their rows. A cut id is useless, so a long id is on a line below its row. If most
 * ids are long, none is in its row.
 */
function idsInRows(
  episodes: readonly EpisodeSummary[],
  { nameOf, width, wide }: EpisodeListOptions,
  room: Room,
): ReadonlyMap<EpisodeSummary, string> {
  const part = hasSeveralDialects(episodes) ? ID_PART.ofSeveral : ID_PART.ofOne;
  const ids = episodes.map((episode) => {
    const { full, brief } = nameOf(episode);
    return [episode, escapeText(wide ? full : brief)] as const;
  });
  const widths = ids.map(([, id]) => displayWidth(id)).sort((a, b) => a - b);
  const usual = widths[Math.floor((widths.length - 1) * MOST_IDS)] ?? 0;
  const most = {
    usual: Math.max(MIN_ID_WIDTH, width * part),
    little: Math.max(usual, SHORT_ID_WIDTH),
  }[room];
  const fitting = ids.filter(([, id]) => wide || displayWidth(id) <= most);
  return new Map(fitting.length * 2 < ids.length ? [] : fitting);
}

/** A column with the texts of its cells. */
function laid(column: Column, episodes: readonly EpisodeSummary[], width: number): LaidColumn[] {
  const { title, cell, none = '', most = Infinity, isNumber } = column;
  const texts = episodes.map(cell);
  if (texts.every((text) => text === '')) return [];
  const shown = texts.map((text) => truncateToWidth(text || none, width === Infinity ? width : most));
  const widest = shown.reduce((sum, text) => Math.max(sum, displayWidth(text)), displayWidth(title));
  const cells = isNumber ? shown.map((text) => ' '.repeat(widest - displayWidth(text)) + text) : shown;
  return [{ ...column, cells, width: width === Infinity ? Math.min(widest, MAX_PADDED) : widest }];
}

/** The columns that fit; the last one is cut to the rest of the width. */
function fitted(columns: readonly LaidColumn[], width: number): LaidColumn[] {
  const last = columns.at(-1);
  if (last === undefined) return [];
  const fixed = columns.slice(0, -1).reduce((sum, column) => sum + column.width + 1, 0);
  const [spared] = columns.toSorted((a, b) => b.spare - a.spare);
  const part = spared?.title === 'DIALECT' ? TITLE_PART_BY_DIALECT : TITLE_PART;
  const needed = last.title === 'TITLE' ? Math.min(last.width, Math.floor(width * part)) : last.width;
  if (fixed + needed > width && spared !== undefined && spared.spare > 0)
    return fitted(
      columns.filter((column) => column !== spared),
      width,
    );
  return [...columns.slice(0, -1), { ...last, width: Math.max(1, Math.min(last.width, width - fixed)) }];
}

/** That a run is a repaired copy, or has one, on a line below its row. */
function repairLine(
  episode: EpisodeSummary,
  briefOf: (id: string) => string,
  options: EpisodeListOptions,
): string[] {
  const text = hasLinesBelow(options) ? repairText(episode, briefOf) : undefined;
  if (text === undefined) return [];
  return [options.style.dim(truncateToWidth(`${PATH_INDENT}${escapeText(text)}`, options.width))];
}

/** Why a run failed, on a line below its row: a column would be too narrow for it. */
function whyLine({ why, tone }: EpisodeSummary, options: EpisodeListOptions): string[] {
  const { style, width } = options;
  if (why === undefined || why === '' || !hasLinesBelow(options)) return [];
  return [tonePaint(style, tone)(truncateToWidth(`${PATH_INDENT}${escapeText(why)}`, width))];
}

/** A list of episodes, and the titles of its columns. */
interface RenderedList {
  readonly text: string;
  readonly titles: readonly string[];
}

/** The columns, and the ids in their rows: a few long ids are below their rows if another column fits then. */
function layoutOf(episodes: readonly EpisodeSummary[], options: EpisodeListOptions) {
  const { style, width, wide = false } = options;
  const ordered = COLUMN_OF[options.sortedBy ?? ''];
  const others = columnsFor(episodes, options)
    .map((column) => (column.title === ordered ? { ...column, spare: 0 } : column))
    .flatMap((column) => laid(column, episodes, width));
  const layout = (room: Room) => {
    const ids = idsInRows(episodes, options, room);
    const cell = (episode: EpisodeSummary) => ids.get(episode) ?? '';
    const column: Column = { title: 'ID', spare: 0, cell, paint: () => style.cyan };
    const found = [...laid(column, episodes, width), ...others];
    return { ids, columns: wide ? found : fitted(found, width), all: found.length };
  };
  const own = layout('usual');
  if (own.columns.length === own.all) return own;
  const narrow = layout('little');
  return narrow.columns.length > own.columns.length ? narrow : own;
}

/** The episodes as a table: name, last change, result, topic. */
export function renderList(episodes: readonly EpisodeSummary[], options: EpisodeListOptions): RenderedList {
  const { style, width, nameOf, wide = false } = options;
  const { ids, columns } = layoutOf(episodes, options);
  const widths = columns.map((column) => column.width);
  const line = (cells: readonly string[], paint: (index: number) => Paint) =>
    tableLine(cells, { widths, paint, whole: wide || width === Infinity });
  const briefOf = briefNames(episodes, nameOf);
  const rows = episodes.map((episode, row) => {
    const cells = columns.map(({ cells }) => cells[row] as string);
    const paints = columns.map(({ paint }) => paint(episode));
    const text = line(cells, (index) => paints[index] as Paint);
    const below = [...repairLine(episode, briefOf, options), ...whyLine(episode, options)];
    const id = ids.has(episode) ? [] : [`${PATH_INDENT}${style.cyan(escapeText(nameOf(episode).brief))}`];
    return [text, ...id, ...below].join('\n');
  });
  const titles = columns.map(({ title, isNumber, width: size }) => (isNumber ? title.padStart(size) : title));
  return {
    text: `${[line(titles, () => style.bold), ...rows].join('\n')}\n`,
    titles: columns.map(({ title }) => title),
  };
}
