import type { SpanStatus } from '../dialects/account.ts';
import { excerptOf, firstLine } from '../dialects/excerpt.ts';
import type { EventColumn } from '../dialects/record-view.ts';
import type { JsonObject } from '../json/value.ts';
import { parseInstant } from '../time/instant.ts';
import type { EpisodeColumn } from './episode-names.ts';
import { escapeText } from './escape.ts';
import { paintPlaces } from './highlight.ts';
import { STATUS_MARKS } from './status-marks.ts';
import type { Paint, Style } from './style.ts';
import { cellWidth, tableLine } from './table-line.ts';
import { formatOffset, formatTime, type TimeZone, timeTitle } from './time.ts';
import { displayWidth, truncateToWidth } from './width.ts';

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
  /** The names of episodes, if rows of several are shown. */
  readonly episodes?: EpisodeColumn;
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
interface Column {
  readonly title: string;
  readonly paint: Paint;
  /** Failed and refused events are highlighted in this column. */
  readonly isHighlighted?: boolean;
  /** The cell's text, escaped. */
  readonly cell: (row: EventRow) => string;
  /** The width; Infinity for the last column outside a terminal. */
  width: number;
  /** The maximum width. */
  readonly most: number;
}

const LINE_WIDTH = 4;
/** The input of a failed call has at most this length and half of its column, to leave room for the error. */
const LONGEST_INPUT = 40;
/** Used if the last line is unknown. */
const WIDE_LINE_WIDTH = 6;
const OFFSET_WIDTH = 8;
const MIN_LAST_WIDTH = 8;
/** The minimum room for the description next to a column that can be dropped. */
const MIN_DETAIL_WIDTH = 24;
const DATE_WIDTH = 23;
const MARK_WIDTH = 1;
const MIN_EPISODE_WIDTH = 12;
/** The most columns that the names of episodes take. */
export const episodeRoom = (width: number): number => Math.max(MIN_EPISODE_WIDTH, Math.floor(width * 0.4));
/** Narrower terminals show short episode names. */
const WHOLE_EPISODE_FROM = 120;
/** Narrower terminals show no offset; still narrower ones no time. */
const OFFSET_FROM = 64;
const TIME_FROM = 48;

/** The maximum number of combining characters per visible one. */
const UNITS_PER_COLUMN = 16;

const USUAL_ID_WIDTH = 36;
/** The minimum width of a shrunk column. */
const LEAST_WIDTH = 4;

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

const asIs: Paint = (text) => text;

const EXCERPT_INDENT = '     ';

/** Lays out rows as a table, batch by batch. A later batch may widen a column but moves nothing else. */
export class EventsTable {
  readonly #options: EventsTableOptions;
  readonly #columns: Column[] = [];

  constructor(options: EventsTableOptions) {
    const { columns, width, zone, style, first, last, start, ids, known } = options;
    this.#options = options;
    const day = (instant: number | undefined) =>
      instant !== undefined && formatTime(instant, zone, true).slice(0, 10);
    const withDate = day(first) === false || day(first) !== day(last);
    const fixed = (title: string, size: number, cell: Column['cell'], paint: Paint): void => {
      this.#columns.push({ title, paint, cell, width: size, most: size });
    };
    const { episodes } = options;
    const shown = columns.filter(({ from = 0 }) => width >= from);
    const guide = options.tree ?? 0;
    const inner = shown.slice(0, -1);
    const own = inner.map((column, at) => column.width + (at === 0 ? guide : 0));
    const lineWidth = known ? Math.max(LINE_WIDTH, `${known.lastLine}`.length) : WIDE_LINE_WIDTH;
    /** The room next to the mandatory columns. */
    let room = width - (lineWidth + 1) - (MARK_WIDTH + 1) - MIN_LAST_WIDTH;
    if (episodes !== undefined) {
      const least = room - own.length * (LEAST_WIDTH + 1) - 1;
      const widest = Math.min(episodeRoom(width), Math.max('EPISODE'.length, least));
      const isWhole = episodes.width <= widest && width >= WHOLE_EPISODE_FROM;
      const size = Math.min(Math.max(7, isWhole ? episodes.width : episodes.shortWidth), widest);
      const name = ({ episode = '' }: EventRow) => escapeText(isWhole ? episode : episodes.shorten(episode));
      fixed('EPISODE', size, name, style.cyan);
      room -= size + 1;
    }
    if (ids)
      room -= 1 + (known ? widestOf(known.sample.map(({ id = '' }) => escapeText(id))) : USUAL_ID_WIDTH);
    const most = sharedRoom(own, room - own.length);
    const needed = known
      ? inner.map((column, at) =>
          Math.min(
            own[at] as number,
            widestOf([column.title, ...known.sample.map((row) => this.#ownCell(column, at, row))]),
          ),
        )
      : most;
    room -= needed.reduce((sum, size) => sum + size + 1, 0);
    fixed('LINE', lineWidth, ({ line }) => String(line), style.dim);
    const title = timeTitle(zone, withDate ? undefined : first);
    const timeWidth = Math.max(title.length, withDate ? DATE_WIDTH : 12);
    // Drops columns to leave room for the description: for one log the offset, for several the time and then the offset.
    const wanted = MIN_DETAIL_WIDTH - MIN_LAST_WIDTH;
    const spared = episodes === undefined ? 0 : wanted;
    const withTime = width >= TIME_FROM && room - timeWidth - 1 >= spared;
    if (withTime) {
      const when = ({ time }: EventRow): string => {
        const instant = time === undefined ? undefined : parseInstant(time);
        return instant === undefined ? escapeText(time ?? '') : formatTime(instant, zone, withDate);
      };
      fixed(title, timeWidth, when, style.dim);
      room -= timeWidth + 1;
    }
    const isWide = width >= OFFSET_FROM || (episodes !== undefined && !withTime);
    if (isWide && room - OFFSET_WIDTH - 1 >= wanted) {
      const offset = ({ time, start: own = start }: EventRow): string => {
        const instant = time === undefined ? undefined : parseInstant(time);
        return instant === undefined || own === undefined ? '' : formatOffset(instant - own);
      };
      fixed('OFFSET', OFFSET_WIDTH, offset, style.dim);
    }
    // Ids are never cut, because users copy them.
    if (ids)
      this.#columns.push({
        title: 'ID',
        paint: style.dim,
        cell: ({ id = '' }) => escapeText(id),
        width: 2,
        most: Infinity,
      });
    const markOf = ({ status = 'ok' }: EventRow) => (status === 'open' ? '' : STATUS_MARKS[status].trim());
    this.#columns.push({
      title: '',
      paint: asIs,
      cell: markOf,
      width: MARK_WIDTH,
      most: MARK_WIDTH,
      isHighlighted: true,
    });
    for (const [index, column] of shown.entries()) {
      const paint = index === 0 ? style.cyan : asIs;
      const size = most[index] ?? Infinity;
      this.#columns.push({
        title: column.title,
        paint,
        cell: (row) => this.#ownCell(column, index, row),
        width: known ? Math.min(size, displayWidth(column.title) + (index === 0 ? guide : 0)) : size,
        most: size,
        isHighlighted: true,
      });
    }
    this.#widen(known?.sample.map((row) => this.#cells(row)) ?? []);
  }

  /** The titles of the columns. */
  header(): string {
    const { bold } = this.#options.style;
    return this.#line(
      this.#columns.map(({ title }) => title),
      () => bold,
    );
  }

  row(row: EventRow): string {
    const cells = this.#cells(row);
    this.#widen([cells]);
    const { style, marks } = this.#options;
    const bad = { error: style.red, veto: style.yellow, open: undefined, ok: undefined }[row.status ?? 'ok'];
    let isMarked = false;
    const line = this.#line(cells, (index) => {
      const { isHighlighted, paint: own } = this.#columns[index] as Column;
      const paint = (isHighlighted ? bad : undefined) ?? own;
      return (text) => {
        const places = marks?.(text) ?? [];
        isMarked ||= places.length > 0;
        return paintPlaces(text, places, paint, style);
      };
    });
    if (marks === undefined || isMarked || row.excerpt === undefined) return line;
    return line + this.#excerpt(escapeText(row.excerpt), marks);
  }

  /** The stored text around a match, below its row. */
  #excerpt(text: string, marks: NonNullable<EventsTableOptions['marks']>): string {
    const { style, width } = this.#options;
    const shown = truncateToWidth(text, width - EXCERPT_INDENT.length);
    return `${EXCERPT_INDENT}${paintPlaces(shown, marks(shown), style.dim, style)}\n`;
  }

  /** A cell of the dialect's columns. The first one has the tree lines. */
  #ownCell(column: EventColumn, index: number, { event, guide = '', call, isLost }: EventRow): string {
    const content = column.cell(event) || (column.isTool && call ? call.tool : '');
    const isDetail = column === this.#options.columns.at(-1);
    const input = isLost ? content : call?.input;
    const text =
      isDetail && input !== undefined
        ? `${this.#inputPart(firstLine(input))} → ${isLost ? 'no result' : content}`
        : content;
    return (index === 0 ? guide : '') + escapeText(this.#head(text));
  }

  /** The start of an input, or the end of a path: at most half of the room, so that the error is also visible. */
  #inputPart(input: string): string {
    const half = Math.floor((this.#columns.at(-1)?.width ?? 0) / 2);
    const most = Math.min(LONGEST_INPUT, Math.max(MIN_LAST_WIDTH, half));
    if (input.length <= most || !/^\/\S+$/.test(input)) return excerptOf(input, most);
    return `…${input.slice(1 - most).toWellFormed()}`;
  }

  /** The visible part of a text, which may have millions of characters. */
  #head(text: string): string {
    const { width } = this.#options;
    return Number.isFinite(width) ? text.slice(0, width * UNITS_PER_COLUMN) : text;
  }

  #cells(row: EventRow): string[] {
    return this.#columns.map(({ cell }) => cell(row));
  }

  /** Widens columns for cells; the last column gets the rest. */
  #widen(rows: readonly (readonly string[])[]): void {
    const inner = this.#columns.slice(0, -1);
    for (const [index, column] of inner.entries()) {
      if (column.width === column.most) continue;
      for (const row of rows) {
        if (column.width >= column.most) break;
        column.width = Math.min(column.most, Math.max(column.width, cellWidth(row[index] as string)));
      }
    }
    const left = this.#options.width - inner.reduce((sum, { width }) => sum + width + 1, 0);
    for (const last of this.#columns.slice(-1)) last.width = Math.max(MIN_LAST_WIDTH, left);
  }

  #line(cells: readonly string[], paint: (index: number) => Paint): string {
    const widths = this.#columns.map(({ width }) => width);
    return `${tableLine(cells, { widths, paint, whole: this.#options.width === Infinity })}\n`;
  }
}
