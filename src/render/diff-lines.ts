import { escapeText } from './escape.ts';
import type { Paint, Style } from './style.ts';
import { truncateToWidth } from './width.ts';

/** A line of a trace as one row: escaped, without tabs, cut to `room` columns. */
export const rowText = (text: string, room: number): string =>
  truncateToWidth(escapeText(text.replaceAll('\t', '  ')), room);

/** The lines of a unified diff, cut to `room` columns and coloured. */
export function diffLines(diff: string, room: number, style: Style): string[] {
  const paints: Readonly<Record<string, Paint>> = { '+': style.green, '-': style.red, '@': style.cyan };
  const lines = diff === '' ? [] : diff.split('\n');
  return lines.map((text) => (paints[text[0] ?? ''] ?? style.dim)(rowText(text, room)));
}
