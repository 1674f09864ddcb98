import type { Paint, Style } from './style.ts';
import { escapeToWidth } from './width.ts';

/** A line of a trace as one row: escaped, without tabs, cut to `room` columns. */
export const rowText = (text: string, room: number): string =>
  escapeToWidth(text.replaceAll('\t', '  '), room);

/** Makes a line. Lines that are folded away are not made. */
export type Draw = () => string;

/** The lines of a unified diff, cut to `room` columns and coloured. */
export function diffLines(diff: string, room: number, style: Style): Draw[] {
  const paints: Readonly<Record<string, Paint>> = { '+': style.green, '-': style.red, '@': style.cyan };
  const lines = diff === '' ? [] : diff.split('\n');
  return lines.map((text) => () => (paints[text[0] ?? ''] ?? style.dim)(rowText(text, room)));
}
