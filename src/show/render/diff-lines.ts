import { escapeCode } from './escape.ts';
import type { Paint, Style } from './style.ts';
import { escapeToWidth, headOfWidth } from './width.ts';

/** A line of a trace as one row: escaped, without tabs, cut to `room` columns. */
export const rowText = (text: string, room: number): string =>
  escapeToWidth(text.includes('\t') ? text.replaceAll('\t', '  ') : text, room);

/** Makes the rows of a line. Lines that are folded away are not made. */
export type Draw = () => readonly string[];

/** The maximum number of UTF-16 units per column; more combining characters start a row. */
const UNITS_PER_COLUMN = 16;

/** Like {@link rowText}, but if `whole`, continues on further rows instead of cutting. */
export function rowsOf(text: string, room: number, whole: boolean): string[] {
  if (!whole) return [rowText(text, room)];
  const escaped = escapeCode(text);
  const rows: string[] = [];
  for (let at = 0; at < escaped.length || at === 0; ) {
    const row = headOfWidth(escaped.slice(at, at + room * UNITS_PER_COLUMN), room);
    rows.push(row);
    at += Math.max(1, row.length);
  }
  return rows;
}

/** The number of lines of a text, without making them. */
export function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** The lines of a unified diff, cut to `room` columns unless whole, and coloured. */
export function diffLines(diff: string, room: number, style: Style, whole: boolean): Draw[] {
  const paints: Readonly<Record<string, Paint>> = { '+': style.green, '-': style.red, '@': style.cyan };
  const lines = diff === '' ? [] : diff.split('\n');
  return lines.map((text) => () => rowsOf(text, room, whole).map(paints[text[0] ?? ''] ?? style.dim));
}
