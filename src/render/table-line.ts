import type { Paint } from './style.ts';
import { displayWidth, truncateToWidth } from './width.ts';

/** Longer than any column is wide, whatever it is made of: to measure it would only take time. */
const LONG_CELL = 4096;

/** How wide a cell is; Infinity for one that is too long for any column. */
export const cellWidth = (text: string): number => (text.length > LONG_CELL ? Infinity : displayWidth(text));

/** How a line of a table is laid out. */
export interface TableLineOptions {
  /** The columns of the terminal that each cell takes. */
  readonly widths: readonly number[];
  readonly paint: (index: number) => Paint;
  /** Cells are never cut: what is too wide moves the others. */
  readonly whole: boolean;
}

/** A line of a table: each cell, escaped already, cut to its width and all but the last filled up to it. */
export function tableLine(cells: readonly string[], { widths, paint, whole }: TableLineOptions): string {
  const last = widths.length - 1;
  const painted = widths.map((width, index) => {
    const cell = cells[index] as string;
    const text = whole ? cell : truncateToWidth(cell, width);
    const gap = index === last ? 0 : width - cellWidth(text);
    return paint(index)(text) + ' '.repeat(Math.max(0, gap));
  });
  return painted.join(' ').trimEnd();
}
