import type { Paint } from './style.ts';
import { displayWidth, truncateToWidth } from './width.ts';

/** In UTF-16 units. Longer than any column; measuring it would waste time. */
const LONG_CELL = 4096;

/** The width of a cell; Infinity if it is too long for any column. */
export const cellWidth = (text: string): number => (text.length > LONG_CELL ? Infinity : displayWidth(text));

interface TableLineOptions {
  /** The width of each cell. */
  readonly widths: readonly number[];
  readonly paint: (index: number) => Paint;
  /** Never cut cells; wide ones move the others. */
  readonly whole: boolean;
}

/** A line of escaped cells, cut and padded to their widths. The last one is not padded. */
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
