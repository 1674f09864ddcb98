import type { EventColumn } from '../dialects/dialect.ts';
import type { JsonObject } from '../json/value.ts';
import { parseInstant } from '../time/instant.ts';
import { escapeText } from './escape.ts';
import type { Paint, Style } from './style.ts';
import { cellWidth, tableLine } from './table-line.ts';
import { formatOffset, formatTime, type TimeZone, timeTitle } from './time.ts';
import { displayWidth } from './width.ts';

/** How a table of events is laid out. */
export interface EventsTableOptions {
  readonly columns: readonly EventColumn[];
  /** Columns of the terminal; Infinity where nothing is to be cut. */
  readonly width: number;
  readonly style: Style;
  readonly zone: TimeZone;
  /** Instants of the first and the last row, in milliseconds; they decide whether dates are shown. */
  readonly first: number | undefined;
  readonly last: number | undefined;
  /** When the episode started, for the offsets. */
  readonly start: number | undefined;
  /** Whether the id of each event is shown. */
  readonly ids: boolean;
  /** What is known of the rows: columns are only as wide as they need. Without it they have their full width. */
  readonly known?: { readonly sample: readonly EventRow[]; readonly lastLine: number };
}

/** A row of the table. */
export interface EventRow {
  readonly line: number;
  /** ISO 8601. */
  readonly time: string | undefined;
  readonly id: string | undefined;
  readonly event: JsonObject;
}

/** A column as it is laid out. */
interface Column {
  readonly title: string;
  readonly paint: Paint;
  /** The cell's text, escaped. */
  readonly cell: (row: EventRow) => string;
  /** The columns of the terminal that it takes; Infinity for the last one in a pipe or a file. */
  width: number;
  /** What it may be widened to. */
  readonly most: number;
}

const LINE_WIDTH = 4;
/** Where the last line is not known. */
const WIDE_LINE_WIDTH = 6;
const OFFSET_WIDTH = 8;
const MIN_LAST_WIDTH = 8;
/** A narrower terminal shows no offset, one that is narrower still no time. */
const OFFSET_FROM = 64;
const TIME_FROM = 48;

/** A character that shows has few that only go with it. */
const UNITS_PER_COLUMN = 16;

const asIs: Paint = (text) => text;

/** Lays rows out as a table, batch by batch. A later batch may widen a column, and nothing else moves. */
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
    const lineWidth = known ? Math.max(LINE_WIDTH, `${known.lastLine}`.length) : WIDE_LINE_WIDTH;
    fixed('LINE', lineWidth, ({ line }) => String(line), style.dim);
    if (width >= TIME_FROM) {
      const title = timeTitle(zone, withDate ? undefined : first);
      const when = ({ time }: EventRow): string => {
        const instant = time === undefined ? undefined : parseInstant(time);
        return instant === undefined ? escapeText(time ?? '') : formatTime(instant, zone, withDate);
      };
      fixed(title, Math.max(title.length, withDate ? 23 : 12), when, style.dim);
    }
    if (width >= OFFSET_FROM) {
      const offset = ({ time }: EventRow): string => {
        const instant = time === undefined ? undefined : parseInstant(time);
        return instant === undefined || start === undefined ? '' : formatOffset(instant - start);
      };
      fixed('OFFSET', OFFSET_WIDTH, offset, style.dim);
    }
    // An id is there to be copied: it is never cut, whatever room that takes.
    if (ids)
      this.#columns.push({
        title: 'ID',
        paint: style.dim,
        cell: ({ id = '' }) => escapeText(id),
        width: 2,
        most: Infinity,
      });
    const shown = columns.filter(({ from = 0 }) => width >= from);
    for (const [index, { title, width: most, cell }] of shown.entries()) {
      const paint = index === 0 ? style.cyan : asIs;
      const size = known ? displayWidth(title) : most;
      const text = ({ event }: EventRow) => escapeText(this.#head(cell(event)));
      this.#columns.push({ title, paint, cell: text, width: size, most });
    }
    this.#widen(known?.sample.map((row) => this.#cells(row)) ?? []);
  }

  /** The titles of the columns. */
  header(): string {
    const { bold } = this.#options.style;
    return this.#line(
      this.#columns.map(({ title }) => title),
      bold,
    );
  }

  row(row: EventRow): string {
    const cells = this.#cells(row);
    this.#widen([cells]);
    return this.#line(cells);
  }

  /** As much of a text as can be seen where rows are cut: it may have millions of characters. */
  #head(text: string): string {
    const { width } = this.#options;
    return Number.isFinite(width) ? text.slice(0, width * UNITS_PER_COLUMN) : text;
  }

  #cells(row: EventRow): string[] {
    return this.#columns.map(({ cell }) => cell(row));
  }

  /** Makes room for cells; the last column takes what is left. */
  #widen(rows: readonly (readonly string[])[]): void {
    const inner = this.#columns.slice(0, -1);
    for (const [index, column] of inner.entries()) {
      if (column.width === column.most) continue;
      for (const row of rows) {
        if (column.width >= column.most) break;
        column.width = Math.min(column.most, Math.max(column.width, cellWidth(row[index] ?? '')));
      }
    }
    const last = this.#columns.at(-1);
    const left = this.#options.width - inner.reduce((sum, { width }) => sum + width + 1, 0);
    if (last) last.width = Math.max(MIN_LAST_WIDTH, left);
  }

  #line(cells: readonly string[], paint?: Paint): string {
    const widths = this.#columns.map(({ width }) => width);
    const paintOf = (index: number) => paint ?? this.#columns[index]?.paint ?? asIs;
    return `${tableLine(cells, { widths, paint: paintOf, whole: this.#options.width === Infinity })}\n`;
  }
}
