import Table from 'cli-table3';
import type { EventColumn } from '../dialects/dialect.ts';
import type { JsonObject } from '../json/value.ts';
import { parseInstant } from '../time/instant.ts';
import { BARE_TABLE } from './bare-table.ts';
import { harmless } from './harmless.ts';
import type { Style } from './style.ts';
import { formatOffset, formatTime, timeTitle, type TimeZone } from './time.ts';
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

/** Lays rows out as a table, batch by batch, with the same columns throughout. */
export class EventsTable {
  readonly #options: EventsTableOptions;
  readonly #columns: readonly EventColumn[];
  readonly #widths: readonly number[];
  readonly #withDate: boolean;

  constructor(options: EventsTableOptions) {
    const { columns, width, zone, first, last } = options;
    this.#options = options;
    const sameDay = first !== undefined && last !== undefined && formatTime(first, zone, true).slice(0, 10) === formatTime(last, zone, true).slice(0, 10);
    this.#withDate = !sameDay;
    const timeWidth = this.#withDate ? 23 : 17;
    const fixed = [LINE_WIDTH, timeWidth, OFFSET_WIDTH];
    // What does not fit is left out from the right; what is left over goes to the widest column.
    let room = width - fixed.reduce((sum, size) => sum + size + 1, 0);
    const shown: EventColumn[] = [];
    for (const column of columns) {
      if (shown.length > 0 && room < column.width) break;
      shown.push(column);
      room -= column.width + 1;
    }
    const widest = Math.max(...shown.map((column) => column.width));
    this.#columns = shown;
    this.#widths = [
      ...fixed,
      ...shown.map((column) => (column.width === widest ? (Number.isFinite(room) ? column.width + Math.max(0, room) : Infinity) : column.width)),
    ];
  }

  /** The titles of the columns. */
  header(): string {
    const { zone, style, first } = this.#options;
    const titles = ['LINE', timeTitle(zone, this.#withDate ? undefined : first), 'OFFSET', ...this.#columns.map(({ title }) => title)];
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
