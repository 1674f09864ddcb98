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
import { clip, cutValue, hanging, wrap } from './wrap.ts';

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

/** Values next to their labels, wrapped. */
function fieldLines(fields: readonly ViewField[], { style, width, zone, now }: ViewOptions): string[] {
  const label =
    largest(
      fields.map((field) => displayWidth(labelOf(field))),
      9,
    ) + 1;
  return fields.flatMap((field) => {
    const paint = tonePaint(style, field.tone);
    const room = field.is_command ? Infinity : width - label;
    const text = `${shown(field, zone, now)}${escapeText(field.tail ?? '')}`;
    const lines = wrap(text, room).map(paint);
    return hanging(style.bold(padToWidth(labelOf(field), label)), lines, ' '.repeat(label));
  });
}

/** The maximum width of a column, except the last, which takes the rest. */
const WIDEST = 40;

/** The last column says the most. With less room than this, it goes on a line below the others. */
const LEAST_LAST = 16;
const BELOW = 4;

/** Drops empty columns. */
function withoutEmptyColumns({ columns, rows }: ViewTable): ViewTable {
  const count = rows.reduce((most, row) => Math.max(most, row.length), columns.length);
  const filled = Array.from({ length: count }, (_, at) => rows.some((row) => (row[at]?.text ?? '') !== ''));
  return {
    columns: columns.filter((_, at) => filled[at]),
    rows: rows.map((row) => row.filter((_, at) => filled[at])),
  };
}

/** The escaped cells of a table, and the width of each column. */
function measured({ columns, rows }: ViewTable, { cutWidth, zone }: ViewOptions) {
  const texts = rows.map((row) => row.map((cell) => shown(cell, zone, undefined, LONGEST_CELL)));
  const count = rows.reduce((most, row) => Math.max(most, row.length), columns.length);
  const widest = Number.isFinite(cutWidth) ? WIDEST : Infinity;
  const widths = Array.from({ length: count }, (_, at) => {
    let width = displayWidth(columns[at] ?? '');
    for (const row of texts) width = Math.max(width, displayWidth(row[at] ?? ''));
    return at === count - 1 ? width : Math.min(width, widest);
  });
  return { texts, widths };
}

function tableLines(whole: ViewTable, options: ViewOptions): string[] {
  const { style, cutWidth } = options;
  const table = withoutEmptyColumns(whole);
  const { texts, widths } = measured(table, options);
  const last = widths.length - 1;
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + 1, 2);
  const isBelow = last > 0 && cutWidth - before < Math.min(LEAST_LAST, widths[last] ?? 0);
  const inRow = isBelow ? widths.slice(0, -1) : widths;
  const gap = inRow.reduce((sum, width) => sum + width + 2, 0) > cutWidth ? 1 : 2;
  const lines = (cells: readonly string[], paintOfCell: (at: number) => Paint): string[] => {
    let left = cutWidth - 2;
    const parts = inRow.map((width, at) => {
      const room = Math.max(0, Math.min(width, left));
      left -= room + gap;
      const text = truncateToWidth(cells[at] ?? '', room);
      return paintOfCell(at)(at === inRow.length - 1 ? text : padToWidth(text, room));
    });
    const row = `  ${parts.join(' '.repeat(gap))}`.trimEnd();
    const rest = isBelow ? (cells[last] ?? '') : '';
    if (rest === '') return [row];
    return [row, ' '.repeat(BELOW) + paintOfCell(last)(truncateToWidth(rest, cutWidth - BELOW))];
  };
  const head = table.columns.some((title) => title !== '') ? lines(table.columns, () => style.bold) : [];
  return [
    ...head,
    ...texts.flatMap((cells, index) => lines(cells, (at) => tonePaint(style, table.rows[index]?.[at]?.tone))),
  ];
}

function sectionLines(section: ViewSection, options: ViewOptions): string[] {
  const { title, fields = [], table, lines = [] } = section;
  const { style, width, zone } = options;
  return [
    ...(title === undefined ? [] : [style.bold(escapeText(title))]),
    ...fieldLines(fields, options),
    ...(table === undefined ? [] : tableLines(table, options)),
    ...lines.flatMap((text) =>
      wrap(shown(text, zone), width - 2).map((part) => `  ${tonePaint(style, text.tone)(part)}`),
    ),
  ];
}

/** A view as text, with an empty line between sections. */
export function renderView(view: StateView, options: ViewOptions): string {
  const sections = view
    .map((section) => sectionLines(section, options).join('\n'))
    .filter((text) => text !== '');
  return `${sections.join('\n\n')}\n`;
}
