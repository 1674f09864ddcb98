import type { JsonObject } from '../../base/json/value.ts';
import { parseInstant } from '../../base/time/instant.ts';
import type { SpanStatus } from '../../dialects/kit/account.ts';
import { excerptOf, firstLine } from '../../dialects/kit/excerpt.ts';
import type { EventColumn } from '../../dialects/kit/record-view.ts';
import type { EpisodeColumn } from './episode-names.ts';
import { escapeText } from './escape.ts';
import { STATUS_MARKS } from './status-marks.ts';
import { asIs, type Paint, type Style } from './style.ts';
import { cellWidth } from './table-line.ts';
import { formatOffset, formatTime, type TimeZone, timeTitle } from './time.ts';
import { displayWidth } from './width.ts';

export interface EventsTableOptions {
  readonly columns: readonly EventColumn[];
  /** The width of the terminal; Infinity: do not cut. */
  readonly width: number;
  readonly style: Style;
  readonly zone: TimeZone;
  /** The times of the first and last row in milliseconds. They decide whether dates are shown. */
  readonly first?: number | undefined;
  readonly last?: number | undefined;
  /** When the episode started, for offsets. */
  readonly start?: number | undefined;
  /** Show the id of each event. */
  readonly ids: boolean;
  /** The names of logs, if rows of several are shown, and the heading of their column. */
  readonly episodes?: EpisodeColumn & { readonly title: string };
  /** The width of the tree lines. */
  readonly tree?: number;
  /** Returns the offsets of search matches in a text, to highlight them. */
  readonly marks?: ((text: string) => readonly (readonly [from: number, to: number])[]) | undefined;
  /** A sample of the rows, so columns are only as wide as needed. Without it they have their full width. */
  readonly known?: { readonly sample: readonly EventRow[]; readonly lastLine: number };
}

/** A row of the table. */
export interface EventRow {
  readonly line: number;
  /** ISO 8601. */
  readonly time: string | undefined;
  readonly id: string | undefined;
  readonly event: JsonObject;
  /** Failed and refused events are highlighted. */
  readonly status?: SpanStatus | undefined;
  readonly episode?: string;
  /** The tree lines before it. */
  readonly guide?: string;
  /** The start of its episode in milliseconds, if there are several episodes. */
  readonly start?: number | undefined;
  /** The call of a result. Its input is shown if the call failed. */
  readonly call?: { readonly tool: string; readonly input?: string | undefined } | undefined;
  /** A call that will get no result. */
  readonly isLost?: boolean;
  /** The stored text around a match, shown if the row does not contain it. */
  readonly excerpt?: string | undefined;
}

/** A column as it is laid out. */
export interface Column {
  readonly title: string;
  readonly paint: Paint;
  /** Failed and refused events are highlighted in this column. */
  readonly isHighlighted?: boolean;
  /** The cell's text, escaped. `lastWidth` is the width of the last column. */
  readonly cell: (row: EventRow, lastWidth: number) => string;
  /** The width; Infinity for the last column outside a terminal. */
  width: number;
  /** The maximum width. */
  readonly most: number;
}

const LINE_WIDTH = 4;
/** Used if the last line is unknown. */
const WIDE_LINE_WIDTH = 6;
const OFFSET_WIDTH = 8;
export const MIN_LAST_WIDTH = 8;
/** The minimum room for the description next to a column that can be dropped. */
const MIN_DETAIL_WIDTH = 24;
const [TIME_WIDTH, DATE_WIDTH] = [12, 23];
const MARK_WIDTH = 1;
const MIN_EPISODE_WIDTH = 12;
/** The most columns that the names of episodes take. */
export const episodeRoom = (width: number): number => Math.max(MIN_EPISODE_WIDTH, Math.floor(width * 0.4));
/** Narrower terminals show short episode names. */
const WHOLE_EPISODE_FROM = 120;
/** Narrower terminals show no offset; still narrower ones no time. */
const OFFSET_FROM = 64;
const TIME_FROM = 48;
const USUAL_ID_WIDTH = 36;
/** The minimum width of a shrunk column. */
const LEAST_WIDTH = 4;
/** The input of a failed call has at most this length and half of its column, to leave room for the error. */
const LONGEST_INPUT = 40;
/** The maximum number of combining characters per visible one. */
const UNITS_PER_COLUMN = 16;

const widestOf = (cells: readonly string[]): number =>
  cells.reduce((most, cell) => Math.max(most, cellWidth(cell)), 0);

/** Divides the room between columns, shrinking the widest first. */
function sharedRoom(wanted: readonly number[], room: number): number[] {
  const widths = [...wanted];
  for (let over = widths.reduce((sum, size) => sum + size, 0) - room; over > 0; over -= 1) {
    const widest = Math.max(...widths);
    if (widest <= LEAST_WIDTH) break;
    widths[widths.indexOf(widest)] = widest - 1;
  }
  return widths;
}

const fixed = (title: string, width: number, cell: Column['cell'], paint: Paint): Column => ({
  title,
  paint,
  cell,
  width,
  most: width,
});

/** The names of logs: whole in a wide terminal, short ones otherwise. */
function episodeColumn(
  { width: whole, shortWidth, shorten, title }: NonNullable<EventsTableOptions['episodes']>,
  { width, style }: EventsTableOptions,
  room: number,
): Column {
  const widest = Math.min(episodeRoom(width), Math.max(title.length, room));
  const isWhole = whole <= widest && width >= WHOLE_EPISODE_FROM;
  const size = Math.min(Math.max(title.length, isWhole ? whole : shortWidth), widest);
  const cell = ({ episode = '' }: EventRow) => escapeText(isWhole ? episode : shorten(episode));
  return fixed(title, size, cell, style.cyan);
}

/**
 * The time and the offset, if there is room for the description as well: one log loses its offset first, several lose the
 * time and then the offset.
 */
function timeColumns(
  { width, zone, style, first, last, start, episodes }: EventsTableOptions,
  room: number,
): Column[] {
  const day = (instant: number | undefined) =>
    instant !== undefined && formatTime(instant, zone, true).slice(0, 10);
  const withDate = day(first) === false || day(first) !== day(last);
  const title = timeTitle(zone, withDate ? undefined : first);
  const timeWidth = Math.max(title.length, withDate ? DATE_WIDTH : TIME_WIDTH);
  const when = ({ time }: EventRow): string => {
    const instant = parseInstant(time);
    return instant === undefined ? escapeText(time ?? '') : formatTime(instant, zone, withDate);
  };
  const offset = ({ time, start: own = start }: EventRow): string => {
    const instant = parseInstant(time);
    return instant === undefined || own === undefined ? '' : formatOffset(instant - own);
  };
  const wanted = MIN_DETAIL_WIDTH - MIN_LAST_WIDTH;
  const spared = episodes === undefined ? 0 : wanted;
  const withTime = width >= TIME_FROM && room - timeWidth - 1 >= spared;
  const left = withTime ? room - timeWidth - 1 : room;
  const isWide = width >= OFFSET_FROM || (episodes !== undefined && !withTime);
  return [
    ...(withTime ? [fixed(title, timeWidth, when, style.dim)] : []),
    ...(isWide && left - OFFSET_WIDTH - 1 >= wanted
      ? [fixed('OFFSET', OFFSET_WIDTH, offset, style.dim)]
      : []),
  ];
}

/** The start of an input, or the end of a path: at most half of the room, so that the error is also visible. */
function inputPart(input: string, room: number): string {
  const most = Math.min(LONGEST_INPUT, Math.max(MIN_LAST_WIDTH, Math.floor(room / 2)));
  if (input.length <= most || !/^\/\S+$/.test(input)) return excerptOf(input, most);
  return `…${input.slice(1 - most).toWellFormed()}`;
}

/** The cells of one of the dialect's columns. The first column has the tree lines, the last one the description. */
function dialectCell(
  column: EventColumn,
  at: number,
  { width, columns }: EventsTableOptions,
): Column['cell'] {
  const isDetail = column === columns.at(-1);
  // A text may have millions of characters.
  const head = (text: string) => (Number.isFinite(width) ? text.slice(0, width * UNITS_PER_COLUMN) : text);
  return ({ event, guide = '', call, isLost }, lastWidth) => {
    const content = column.cell(event) || (column.isTool && call ? call.tool : '');
    const input = isLost ? content : call?.input;
    const text =
      isDetail && input !== undefined
        ? `${inputPart(firstLine(input), lastWidth)} → ${isLost ? 'no result' : content}`
        : content;
    return (at === 0 ? guide : '') + escapeText(head(text));
  };
}

/** Whether a column says more than every row of the sample. */
function isWanted({ onlyIfSeveral, cell }: EventColumn, known: EventsTableOptions['known']): boolean {
  return (
    !onlyIfSeveral || known === undefined || new Set(known.sample.map(({ event }) => cell(event))).size > 1
  );
}

/** The columns of a table of events, from left to right, as wide as its sample needs and the terminal allows. */
export function eventColumns(options: EventsTableOptions): Column[] {
  const { width, style, ids, known, episodes, tree = 0 } = options;
  const shown = options.columns
    .filter((column) => width >= (column.from ?? 0) && isWanted(column, known))
    .map((column, at) => ({
      title: column.title,
      cell: dialectCell(column, at, options),
      own: column.width + (at === 0 ? tree : 0),
    }));
  const inner = shown.slice(0, -1);
  const lineWidth = known ? Math.max(LINE_WIDTH, `${known.lastLine}`.length) : WIDE_LINE_WIDTH;
  /** The room next to the mandatory columns. */
  let room = width - (lineWidth + 1) - (MARK_WIDTH + 1) - MIN_LAST_WIDTH;
  const least = inner.length * (LEAST_WIDTH + 1);
  const names = episodes ? [episodeColumn(episodes, options, room - least - 1)] : [];
  for (const name of names) room -= name.width + 1;
  const idOf = ({ id = '' }: EventRow) => escapeText(id);
  if (ids) room -= 1 + (known ? widestOf(known.sample.map(idOf)) : USUAL_ID_WIDTH);
  const most = sharedRoom(
    inner.map(({ own }) => own),
    room - inner.length,
  );
  const used = ({ title, cell, own }: (typeof inner)[number], { sample }: NonNullable<typeof known>) =>
    Math.min(own, widestOf([title, ...sample.map((row) => cell(row, 0))]));
  const needed = known ? inner.map((column) => used(column, known)) : most;
  room -= needed.reduce((sum, size) => sum + size + 1, 0);
  const mark = ({ status = 'ok' }: EventRow) => (status === 'open' ? '' : STATUS_MARKS[status].trim());
  return [
    ...names,
    fixed('LINE', lineWidth, ({ line }) => String(line), style.dim),
    ...timeColumns(options, room),
    // Ids are never cut, because users copy them.
    ...(ids ? [{ title: 'ID', paint: style.dim, cell: idOf, width: 2, most: Infinity }] : []),
    { ...fixed('', MARK_WIDTH, mark, asIs), isHighlighted: true },
    ...shown.map(({ title, cell }, at) => {
      const size = most[at] ?? Infinity;
      return {
        title,
        paint: at === 0 ? style.cyan : asIs,
        cell,
        width: known ? Math.min(size, displayWidth(title) + (at === 0 ? tree : 0)) : size,
        most: size,
        isHighlighted: true,
      };
    }),
  ];
}
