import type { Branch, TreePlace } from '../../read/select/lineage-tree.ts';
import { escapeText } from './escape.ts';
import {
  type Column,
  type EventRow,
  type EventsTableOptions,
  eventColumns,
  MIN_LAST_WIDTH,
} from './events-columns.ts';
import type { Paint, Style } from './style.ts';
import { cellWidth, tableLine } from './table-line.ts';
import { truncateToWidth } from './width.ts';

const EXCERPT_INDENT = '     ';

/** The width of a branch. */
const STEP = 2;

/** The tree lines left of an event; in a deep tree only the last ones. */
export function treeGuide({ branch, begins }: TreePlace, width: number): string {
  const most = Math.max(2, Math.min(24, Math.floor(width / 4 / STEP)));
  let guides = '';
  let next: Branch | undefined = branch;
  for (let shown = 0; next !== undefined && shown < most; shown += 1, next = next.above) {
    const isOwn = begins && shown === 0;
    guides = (isOwn ? (next.isLast ? '╰╴' : '├╴') : next.isLast ? '  ' : '│ ') + guides;
  }
  return (next === undefined ? '' : '…') + guides;
}

/** Paints a text, with another colour for matches. */
function paintPlaces(
  text: string,
  places: readonly (readonly [from: number, to: number])[],
  paint: Paint,
  style: Style,
): string {
  let painted = '';
  let at = 0;
  for (const [from, to] of places) {
    painted += (from > at ? paint(text.slice(at, from)) : '') + style.bold(style.red(text.slice(from, to)));
    at = to;
  }
  return at === 0 ? paint(text) : painted + (at < text.length ? paint(text.slice(at)) : '');
}

/** Lays out rows as a table, batch by batch. A later batch may widen a column but moves nothing else. */
export class EventsTable {
  readonly #options: EventsTableOptions;
  readonly #columns: readonly Column[];

  constructor(options: EventsTableOptions) {
    this.#options = options;
    this.#columns = eventColumns(options);
    this.#widen(options.known?.sample.map((row) => this.#cells(row)) ?? []);
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

  #cells(row: EventRow): string[] {
    const { width = 0 } = this.#columns.at(-1) ?? {};
    return this.#columns.map(({ cell }) => cell(row, width));
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
