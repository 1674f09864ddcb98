import { largest } from '../../base/text/largest.ts';
import { parseInstant } from '../../base/time/instant.ts';
import type {
  StateView,
  ViewField,
  ViewSection,
  ViewTable,
  ViewText,
} from '../../dialects/kit/state-view.ts';
import { formatAge } from './age.ts';
import { escapeText } from './escape.ts';
import { type Paint, type Style, tonePaint } from './style.ts';
import { formatMoment, type TimeZone } from './time.ts';
import { displayWidth, padToWidth, truncateToWidth } from './width.ts';
import { clip, cutValue, hanging, wrap, wrapParts } from './wrap.ts';

export interface ViewOptions {
  readonly style: Style;
  /** The width at which texts are wrapped. */
  readonly width: number;
  /** The width at which table rows are cut; Infinity: do not cut. */
  readonly cutWidth: number;
  readonly zone: TimeZone;
  /** Milliseconds since 1970, to show ages next to times. */
  readonly now?: number;
}

/** In UTF-16 units. */
const LONGEST_TEXT = 4000;
/** A column is as wide as its widest cell, so one long cell would add as many spaces to every other row. */
const LONGEST_CELL = 1000;

/** A text for display: escaped; times in the reader's zone. */
function shown(
  { text, is_time: isTime }: ViewText,
  zone: TimeZone,
  now?: number,
  longest = LONGEST_TEXT,
): string {
  const instant = isTime ? parseInstant(text) : undefined;
  if (instant === undefined) return escapeText(cutValue(text, longest));
  const age = now === undefined ? '' : ` (${formatAge(instant, now)})`;
  return `${formatMoment(instant, zone)}${age}`;
}

/** Every label is padded to the longest. */
const LONGEST_LABEL = 100;
const labelOf = ({ label }: ViewField): string => escapeText(clip(label, LONGEST_LABEL));

/** A text and its tail, wrapped. The tail is on one line from its first space, as a place of which half is nothing. */
function withTail(text: string, tail: string, room: number): string[] {
  const space = tail.indexOf(' ');
  if (space < 0) return wrap(`${text}${tail}`, room);
  const lines = wrap(`${text}${tail.slice(0, space)}`, room);
  const rest = tail.slice(space + 1);
  const last = lines.at(-1) ?? '';
  return displayWidth(last) + 1 + displayWidth(rest) <= room
    ? [...lines.slice(0, -1), `${last} ${rest}`]
    : [...lines, ...wrap(rest, room)];
}

/** Cuts a text, and closes the parenthesis at its end that the cut opened: `Bash: npm test (exit code 1, err…)`. */
function cutText(text: string, room: number, before = ''): string {
  const cut = truncateToWidth(text, room);
  const isOpen = (one: string) => `${before}${one}`.lastIndexOf('(') > `${before}${one}`.lastIndexOf(')');
  if (cut === text || !text.endsWith(')') || !isOpen(cut)) return cut;
  const shorter = truncateToWidth(text, room - 1);
  return isOpen(shorter) ? `${shorter})` : shorter;
}

/** The maximum width of a label, and of a column except the last, which takes the rest. */
const WIDEST = 40;

/** Of less than this, nothing could be read before its tail. */
const LEAST_CUT = 8;

/** The end of a text, cut so that its tail is on the same line if there is room for both. */
function cutBefore(tail: string, text: string, room: number, before = ''): string[] {
  const left = room - displayWidth(tail);
  return left < LEAST_CUT
    ? withTail(cutText(text, room, before), tail, room)
    : [`${cutText(text, left, before)}${tail}`];
}

/** A text on two lines at most, the second of which is cut before the tail. */
function twoLines(text: string, tail: string, room: number): string[] {
  const [first = '', ...others] = wrap(text, room);
  if (others.length === 0) return withTail(text, tail, room);
  return [first, ...cutBefore(tail, others.join(' '), room, first)];
}

/** The lines of a value. */
function valueLines(field: ViewField, room: number, zone: TimeZone, now: number | undefined): string[] {
  const { parts, text, has_lines: hasLines, is_cut: isCut } = field;
  const tail = escapeText(field.tail ?? '');
  if (parts !== undefined) return wrapParts(parts.map(escapeText), room);
  if (isCut && field.has_two_lines) return twoLines(shown(field, zone, now), tail, room);
  if (isCut) return cutBefore(tail, shown(field, zone, now), room);
  if (!hasLines) return withTail(shown(field, zone, now), tail, room);
  const lines = text.split(/\r?\n/).map((line) => escapeText(line.trimEnd()));
  return lines.flatMap((line, at) =>
    at === lines.length - 1 ? withTail(line, tail, room) : wrap(line, room),
  );
}

/** Values next to their labels, wrapped; below a label that is longer than most, or leaves less than half of a line. */
function fieldLines(fields: readonly ViewField[], { style, width, zone, now }: ViewOptions): string[] {
  const widest = Math.min(WIDEST, width / 2);
  const labels = fields.map((field) => displayWidth(labelOf(field)));
  const label =
    largest(
      labels.filter((one) => one <= widest),
      9,
    ) + 1;
  return fields.flatMap((field) => {
    const paint = tonePaint(style, field.tone);
    const room = field.is_whole ? Infinity : width - label;
    const lines = valueLines(field, room, zone, now);
    const [name, indent] = [labelOf(field), ' '.repeat(label)];
    if (displayWidth(name) > widest)
      return [...wrap(name, width).map(style.bold), ...lines.map((line) => `${indent}${paint(line)}`)];
    return hanging(style.bold(padToWidth(name, label)), lines.map(paint), indent);
  });
}

/** The last column says the most. With less room than this, it goes on a line below the others. */
const LEAST_LAST = 16;
const BELOW = 4;

/** A column that some row fills: its place in the rows, and its width. */
interface Column {
  readonly at: number;
  readonly width: number;
}

const cellText = (cell: ViewText | undefined, zone: TimeZone): string =>
  cell === undefined ? '' : shown(cell, zone, undefined, LONGEST_CELL);

/** The columns that are not empty. Keeps no text, because a table may have a row for each act of a long run. */
function columnsOf({ columns, rows, spare }: ViewTable, { cutWidth, zone }: ViewOptions): Column[] {
  const widths = columns.map(() => 0);
  const filled = new Set<number>();
  for (const row of rows)
    for (const [at, cell] of row.entries()) {
      if (cell.is_wide) continue;
      if (cell.text !== '') filled.add(at);
      widths[at] = Math.max(widths[at] ?? 0, displayWidth(cellText(cell, zone)));
    }
  // What such a table has before its last column is numbers, which are not cut.
  const widest = Number.isFinite(cutWidth) && spare === undefined ? WIDEST : Infinity;
  const last = largest(filled);
  return [...filled]
    .sort((a, b) => a - b)
    .map((at) => {
      const width = Math.max(displayWidth(columns[at] ?? ''), widths[at] ?? 0);
      return { at, width: at === last ? width : Math.min(width, widest) };
    });
}

/** A last column that is longer may be cut. */
const WIDEST_LAST = 32;

/** Whether all columns have room in a row, the last one as far as it need not be cut. */
function fits(columns: readonly Column[], cutWidth: number): boolean {
  const last = columns.at(-1)?.width ?? 0;
  const before = columns.slice(0, -1).reduce((sum, { width }) => sum + width + 1, 2);
  return before + Math.min(last, WIDEST_LAST) <= cutWidth;
}

/** The columns that have room: first with short cells, then without those that the reader needs least. */
function withRoom(table: ViewTable, options: ViewOptions): { table: ViewTable; columns: Column[] } {
  const columns = columnsOf(table, options);
  if (table.spare === undefined || fits(columns, options.cutWidth)) return { table, columns };
  const rows = table.rows.map((row) =>
    row.map((cell) => (cell.brief === undefined ? cell : { ...cell, text: cell.brief })),
  );
  const short = { ...table, rows };
  let left = columnsOf(short, options);
  for (const title of table.spare) {
    if (fits(left, options.cutWidth)) break;
    left = left.filter(({ at }) => table.columns[at] !== title);
  }
  return { table: short, columns: left };
}

function* tableLines(given: ViewTable, options: ViewOptions): Generator<string> {
  const { style, cutWidth, zone } = options;
  const { table, columns } = withRoom(given, options);
  const last = columns.at(-1);
  if (last === undefined) return;
  const before = columns.slice(0, -1).reduce((sum, { width }) => sum + width + 1, 2);
  const isBelow = columns.length > 1 && cutWidth - before < Math.min(LEAST_LAST, last.width);
  const inRow = isBelow ? columns.slice(0, -1) : columns;
  const gap = inRow.reduce((sum, { width }) => sum + width + 2, 0) > cutWidth ? 1 : 2;
  const lines = function* (
    textAt: (at: number) => string,
    paintAt: (at: number) => Paint,
  ): Generator<string> {
    let left = cutWidth - 2;
    const parts = inRow.map(({ at, width }, index) => {
      const room = Math.max(0, Math.min(width, left));
      left -= room + gap;
      const text = truncateToWidth(textAt(at), room);
      return paintAt(at)(index === inRow.length - 1 ? text : padToWidth(text, room));
    });
    yield `  ${parts.join(' '.repeat(gap))}`.trimEnd();
    const rest = isBelow ? textAt(last.at) : '';
    if (rest !== '') yield ' '.repeat(BELOW) + paintAt(last.at)(truncateToWidth(rest, cutWidth - BELOW));
  };
  if (columns.some(({ at }) => (table.columns[at] ?? '') !== ''))
    yield* lines(
      (at) => table.columns[at] ?? '',
      () => style.bold,
    );
  for (const row of table.rows) {
    const [first] = row;
    if (first?.is_wide)
      yield `  ${tonePaint(style, first.tone)(truncateToWidth(cellText(first, zone), cutWidth - 2))}`;
    else
      yield* lines(
        (at) => cellText(row[at], zone),
        (at) => tonePaint(style, row[at]?.tone),
      );
  }
}

function* sectionLines(section: ViewSection, options: ViewOptions): Generator<string> {
  const { title, fields = [], table, lines = [] } = section;
  const { style, width, zone } = options;
  if (title !== undefined) yield style.bold(escapeText(title));
  yield* fieldLines(fields, options);
  if (table !== undefined) yield* tableLines(table, options);
  for (const text of lines)
    for (const part of wrap(shown(text, zone), width - 2)) yield `  ${tonePaint(style, text.tone)(part)}`;
}

/** The lines of a view, each with its newline, and with an empty line before each further section. Each is made when it is asked for. */
export function* viewLines(view: StateView, options: ViewOptions): Generator<string> {
  let isFirst = true;
  for (const section of view) {
    let isStart = !isFirst;
    for (const line of sectionLines(section, options)) {
      yield isStart ? `\n${line}\n` : `${line}\n`;
      isStart = false;
      isFirst = false;
    }
  }
}

/** A view as text. */
export const renderView = (view: StateView, options: ViewOptions): string =>
  [...viewLines(view, options)].join('');
