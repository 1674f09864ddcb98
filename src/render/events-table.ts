import Table from 'cli-table3';
import type { EventColumn } from '../dialects/dialect.ts';
import type { JsonObject } from '../json/value.ts';
import { parseInstant } from '../time/instant.ts';
import { BARE_TABLE } from './bare-table.ts';
import { harmless } from './harmless.ts';
import type { Style } from './style.ts';
import { formatOffset, formatTime, type TimeZone, timeTitle } from './time.ts';
import { truncateToWidth } from './width.ts';

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
}

/** A row of the table. */
export interface EventRow {
  readonly line: number;
  /** ISO 8601. */
  readonly time: string | undefined;
  readonly event: JsonObject;
}

const LINE_WIDTH = 6;
const OFFSET_WIDTH = 10;
const MIN_LAST_WIDTH = 8;

/** Lays rows out as a table, batch by batch, with the same columns throughout. */
export class EventsTable {
  readonly #options: EventsTableOptions;
  readonly #columns: readonly EventColumn[];
  readonly #widths: readonly number[];
  readonly #withDate: boolean;

  constructor(options: EventsTableOptions) {
    const { columns, width, zone, first, last } = options;
    this.#options = options;
    const day = (instant: number | undefined) =>
      instant !== undefined && formatTime(instant, zone, true).slice(0, 10);
    this.#withDate = day(first) === false || day(first) !== day(last);
    this.#columns = columns.filter(({ from = 0 }) => width >= from);
    const fixed = [
      LINE_WIDTH,
      this.#withDate ? 23 : 17,
      OFFSET_WIDTH,
      ...this.#columns.slice(0, -1).map((column) => column.width),
    ];
    const left = width - fixed.reduce((sum, size) => sum + size + 1, 0);
    this.#widths = [...fixed, Math.max(MIN_LAST_WIDTH, left)];
  }

  /** The titles of the columns. */
  header(): string {
    const { zone, style, first } = this.#options;
    const titles = [
      'LINE',
      timeTitle(zone, this.#withDate ? undefined : first),
      'OFFSET',
      ...this.#columns.map(({ title }) => title),
    ];
    return this.#layOut([titles.map((title, index) => style.bold(this.#cell(title, index)))]);
  }

  rows(rows: readonly EventRow[]): string {
    const { style, zone, start } = this.#options;
    if (rows.length === 0) return '';
    return this.#layOut(
      rows.map(({ line, time, event }) => {
        const instant = time === undefined ? undefined : parseInstant(time);
        const offset = instant === undefined || start === undefined ? '' : formatOffset(instant - start);
        const when = instant === undefined ? (time ?? '') : formatTime(instant, zone, this.#withDate);
        const cells = [String(line), when, offset, ...this.#columns.map((column) => column.cell(event))];
        return cells.map((cell, index) => {
          const text = this.#cell(harmless(cell), index);
          return index < 3 ? style.dim(text) : index === 3 ? style.cyan(text) : text;
        });
      }),
    );
  }

  #cell(text: string, index: number): string {
    const width = this.#widths[index] ?? 0;
    return Number.isFinite(width) ? truncateToWidth(text, width) : text;
  }

  #layOut(cells: string[][]): string {
    const table = new Table({
      ...BARE_TABLE,
      colWidths: this.#widths.map((width) => (Number.isFinite(width) ? width : null)),
    });
    table.push(...cells);
    return `${table
      .toString()
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n')}\n`;
  }
}
