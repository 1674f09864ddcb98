import { writeJson } from '../../base/json/write.ts';
import { type ComparedLine, lineDifference } from '../../read/compare/line-difference.ts';
import { escapeCode, escapeText } from './escape.ts';
import { displayWidth, truncateToWidth } from './width.ts';
import { cutValue, wrap } from './wrap.ts';

/** A row of the comparison of two values. `gap`: equal lines, or further ones of one side, are left out. */
export interface ValueRow {
  readonly in: ComparedLine['in'] | 'gap';
  /** Escaped. */
  readonly text: string;
  /** It continues the value of the row above. */
  readonly continues?: boolean;
}

/** How two values are shown: on one row if both are short, else below each other. */
export type ShownValues =
  | { readonly inline: readonly [a: string, b: string] }
  | {
      readonly rows: readonly ValueRow[];
      /** The number of differing lines that are left out. */
      readonly more: number;
    };

interface ValueLayout {
  /** The columns of a row. */
  readonly room: number;
  /** Whether two texts fit into one row. */
  isInline(a: string, b: string): boolean;
  /** Ids, times and digests count as much as other texts. */
  readonly exact: boolean;
}

/** The rows of a value of one line that are shown. */
const MOST_ROWS = 4;
/** The differing lines of two texts that are shown, and those of one side in a row. */
const MOST_LINES = 16;
const MOST_OF_SIDE = 4;
/** In UTF-16 units: how much of what is equal is shown before the first difference in a line. */
const BEFORE = 24;

/** The number of UTF-16 units with which two texts begin alike. */
function commonStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at += 1;
  return at;
}

/**
 * Where the part of two texts begins that has their first difference, at `at`, and as much before it as fits into `room`: not
 * within a character or an escape.
 */
function startBefore(a: string, b: string, at: number, room: number): number {
  const least = Math.max(0, at - BEFORE);
  let start = Math.min(least, Math.max(0, Math.max(a.length, b.length) - room));
  while (start > 0 && (a[start - 1] === '\\' || /[\udc00-\udfff]/.test(a[start] ?? ''))) start -= 1;
  return start;
}

/** Two values of one line: whole, or if one is long, from a little before the first difference. */
function partsOfValues(a: string, b: string, room: number): readonly [string, string] {
  const most = room * MOST_ROWS;
  if (Math.max(a.length, b.length) <= most) return [a, b];
  const start = startBefore(a, b, commonStart(a, b), most - 2);
  const part = (text: string) => `${start > 0 ? '… ' : ''}${cutValue(text.slice(start), most - 2)}`;
  return [part(a), part(b)];
}

const withoutSpace = (text: string): string => text.replace(/\s+/g, '');

/** Two lines, one in each run: cut to a row, around their first difference if they are longer. */
function pairOfLines(a: string, b: string, room: number): readonly [string, string] {
  // Only quoted does one see space that differs.
  const isSpace = withoutSpace(a) === withoutSpace(b);
  const [ofA, ofB] = isSpace ? [writeJson(a), writeJson(b)].map(escapeText) : [a, b].map(escapeCode);
  const [textA = '', textB = ''] = [ofA, ofB];
  const at = commonStart(textA, textB);
  const isWhole = Math.max(displayWidth(textA), displayWidth(textB)) <= room;
  // The beginning is more use than the end, if it has the difference.
  const start = isWhole || at < room / 2 ? 0 : startBefore(textA, textB, at, room - 1);
  const part = (text: string) => truncateToWidth(start === 0 ? text : `…${text.slice(start)}`, room);
  return [part(textA), part(textB)];
}

/** The lines between two equal ones that only one of the runs has. */
function rowsOfChange(
  a: readonly string[],
  b: readonly string[],
  room: number,
): { readonly rows: ValueRow[]; readonly more: number } {
  const pairs = a.length === b.length ? a.map((line, at) => pairOfLines(line, b[at] ?? '', room)) : undefined;
  const rowsOf = (side: 'a' | 'b', lines: readonly string[]): ValueRow[] => [
    ...lines.slice(0, MOST_OF_SIDE).map((line, at) => ({
      in: side,
      text: pairs?.[at]?.[side === 'a' ? 0 : 1] ?? truncateToWidth(escapeCode(line), room),
    })),
    ...(lines.length > MOST_OF_SIDE ? [{ in: 'gap' as const, text: '…' }] : []),
  ];
  const left = (lines: readonly string[]) => Math.max(0, lines.length - MOST_OF_SIDE);
  return { rows: [...rowsOf('a', a), ...rowsOf('b', b)], more: left(a) + left(b) };
}

/** The rows of two texts of several lines. */
function rowsOfLines(parts: readonly (readonly ComparedLine[])[], room: number) {
  const rows: ValueRow[] = [];
  let [shown, more] = [0, 0];
  for (const [index, part] of parts.entries()) {
    const differing = part.filter((line) => line.in !== 'both').length;
    if (shown >= MOST_LINES) {
      more += differing;
      continue;
    }
    if (index > 0) rows.push({ in: 'gap', text: '…' });
    for (let at = 0; at < part.length; ) {
      const line = part[at];
      if (line?.in === 'both') {
        rows.push({ in: 'both', text: truncateToWidth(escapeCode(line.text), room) });
        at += 1;
        continue;
      }
      const next = part.findIndex((one, place) => place > at && one.in === 'both');
      const change = part.slice(at, next === -1 ? part.length : next);
      const linesIn = (side: 'a' | 'b') => change.flatMap((one) => (one.in === side ? one.text : []));
      const { rows: ofChange, more: left } = rowsOfChange(linesIn('a'), linesIn('b'), room);
      for (const row of ofChange) rows.push(row);
      shown += change.length - left;
      more += left;
      at += change.length;
    }
  }
  return { rows, more };
}

/** The row of a side without lines. */
const rowIfEmpty = (side: 'a' | 'b', text: string | undefined): ValueRow[] =>
  text ? [] : [{ in: side, text: text === undefined ? 'nothing' : '""' }];

const isText = (value: unknown): value is string | undefined =>
  value === undefined || typeof value === 'string';

/** Lays out two values: texts of several lines by the lines that differ, others as JSON. */
export function shownValues(a: unknown, b: unknown, { room, isInline, exact }: ValueLayout): ShownValues {
  const isLines = isText(a) && isText(b) && [a, b].some((text) => text?.trimEnd().includes('\n'));
  if (isLines) {
    const parts = lineDifference(a ?? '', b ?? '', exact);
    const { rows, more } = rowsOfLines(parts, room);
    if (rows.length > 0) return { rows: [...rowIfEmpty('a', a), ...rows, ...rowIfEmpty('b', b)], more };
  }
  const shown = (value: unknown): string => (value === undefined ? 'nothing' : writeJson(value));
  const [ofA, ofB] = [shown(a), shown(b)];
  const [textA, textB] = [escapeText(ofA), escapeText(ofB)];
  if (isInline(textA, textB)) return { inline: [textA, textB] };
  const [partA, partB] = partsOfValues(ofA, ofB, room);
  const rowsOf = (side: 'a' | 'b', text: string): ValueRow[] =>
    wrap(escapeText(text), room).map((row, at) => ({ in: side, text: row, continues: at > 0 }));
  return { rows: [...rowsOf('a', partA), ...rowsOf('b', partB)], more: 0 };
}
