import { placeInExcerpt } from '../../findings/excerpt.ts';
import { escapeText } from './escape.ts';
import { type Paint, plain } from './style.ts';
import { clusters, displayWidth, truncateToWidth } from './width.ts';

interface FrameOptions {
  /** A finding's excerpt, as `excerptAround` makes it. */
  readonly excerpt: string;
  /** UTF-16 units from 1; without it nothing is underlined. */
  readonly column?: number;
  /** The number of UTF-8 bytes to underline; at least one character is. */
  readonly byteLength?: number;
  /** Printed after the underline. */
  readonly label?: string;
  /** The width of the excerpt without the gutter. */
  readonly width: number;
  readonly paint?: Paint;
}

interface Cell {
  readonly text: string;
  readonly width: number;
  readonly marked: boolean;
}

function cellsOf(excerpt: string, at: number, byteLength: number): Cell[] {
  const cells: Cell[] = [];
  let unit = 0;
  let bytes = 0;
  for (const cluster of clusters(excerpt)) {
    const marked = unit + cluster.length > at && (bytes === 0 || bytes < byteLength);
    if (marked) bytes += Buffer.byteLength(cluster);
    unit += cluster.length;
    const text = escapeText(cluster);
    cells.push({ text, width: displayWidth(text), marked });
  }
  return cells;
}

const sum = (cells: readonly Cell[]): number => cells.reduce((total, { width }) => total + width, 0);

/** The range of cells around `place` that fits, with room for `…` at both ends. */
function windowOf(cells: readonly Cell[], place: number, width: number): { from: number; to: number } {
  if (sum(cells) + 2 <= width) return { from: 0, to: cells.length };
  const room = Math.max(1, width - 2);
  let from = place;
  let used = 0;
  const before = (limit: number): void => {
    for (
      let cell = cells[from - 1];
      cell !== undefined && used + cell.width <= limit;
      cell = cells[from - 1]
    ) {
      used += cell.width;
      from -= 1;
    }
  };
  before(Math.floor(room / 2));
  let to = place;
  for (let cell = cells[to]; cell !== undefined && used + cell.width <= room; cell = cells[to]) {
    used += cell.width;
    to += 1;
  }
  before(room);
  return { from, to };
}

/** The excerpt on one line, cut to the width, and the underline below it. */
export function frameLines(options: FrameOptions): string[] {
  const { excerpt, column, byteLength = 1, label = '', width, paint = plain.bold } = options;
  const { at, cutBefore, cutAfter } = placeInExcerpt(excerpt, column);
  const cells = cellsOf(excerpt, at, byteLength);
  const marked = cells.findIndex((cell) => cell.marked);
  const place = marked === -1 ? cells.length : marked;
  const { from, to } = windowOf(cells, column === undefined ? 0 : place, width);
  const head = cutBefore || from > 0 ? '…' : '';
  const tail = cutAfter || to < cells.length ? '…' : '';
  const shown = cells.slice(from, to).map(({ text }) => text);
  const lines = [head + shown.join('') + tail];
  if (column === undefined) return lines;

  const indent = head.length + sum(cells.slice(from, place));
  const carets = Math.max(1, sum(cells.slice(place, to).filter((cell) => cell.marked)));
  const underline = `${' '.repeat(indent)}${paint('^'.repeat(carets))}`;
  if (label === '') return [...lines, underline];
  const text = escapeText(label);
  if (indent + carets + 1 + displayWidth(text) <= width) return [...lines, `${underline} ${paint(text)}`];
  const below = truncateToWidth(text, width);
  const start = Math.min(indent, width - displayWidth(below));
  return [...lines, underline, `${' '.repeat(start)}${paint(below)}`];
}
