import { isObject, type JsonObject } from '../../base/json/value.ts';
import { textOf } from '../../base/json/write.ts';

/** The meaning of a text, shown as a colour. */
export type Tone = 'good' | 'bad' | 'doubtful' | 'muted' | 'name';

/** A text of a view. Trace text, which renderers escape. */
export interface ViewText {
  readonly text: string;
  readonly tone?: Tone;
  /** An ISO 8601 time, shown in the reader's zone. */
  readonly is_time?: true;
  /** The line of the log to which a page links it. */
  readonly line?: number;
  /** The text of a cell if the row is too long with the whole one; it may be empty. */
  readonly brief?: string;
  /** The only cell of its row, which takes the room of all columns. */
  readonly is_wide?: true;
  /** Another part says it too, so a view that is too long leaves it out first. */
  readonly is_repeated?: true;
}

/** A named value. */
export interface ViewField extends ViewText {
  readonly label: string;
  /** Stays on one line, so that it can be copied. */
  readonly is_whole?: true;
  /** Is shown to its end, with its line breaks. */
  readonly has_lines?: true;
  /** A view that is too long shows two lines of the text. */
  readonly is_brief?: true;
  /** The text is cut to one line, or to two. */
  readonly is_cut?: true;
  readonly has_two_lines?: true;
  /** Follows the text, and stays whole when the text is cut. */
  readonly tail?: string;
  /** The parts of the text, between which it may be wrapped. */
  readonly parts?: readonly string[];
}

/** A table. A row may be shorter than the list of titles. Without titles there is no header. */
export interface ViewTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly ViewText[])[];
  /** The last row says how it ended, so a table that is cut keeps it. */
  readonly keeps_last?: true;
  /** A table that is cut keeps the rows that have a cell of the tone `bad`. */
  readonly keeps_bad?: true;
  /** The columns that are left out if the rows are too long, the first of them first. The last column then stays in its row. */
  readonly spare?: readonly string[];
}

/** A part of a view: a title, named values, a table, and lines of text, each optional. */
export interface ViewSection {
  readonly title?: string;
  readonly fields?: readonly ViewField[];
  readonly table?: ViewTable;
  readonly lines?: readonly ViewText[];
  /** It says what failed, so that other parts are left out first. */
  readonly is_urgent?: true;
  /** What it says in a line, if there is no room for it. */
  readonly short?: string;
}

/** A state for people: the important parts, in order. Plain data, neither escaped nor laid out. */
export type StateView = readonly ViewSection[];

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

/** A nested value as text: lists of texts with commas, other objects and lists as JSON. */
function innerText(value: unknown): string {
  if (isEmpty(value)) return '';
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ');
  return textOf(value);
}

/** Members as text, without those that are absent, null or blank: `step=1 ok=true`. */
export const membersText = (members: readonly (readonly [name: string, value: unknown])[]): string =>
  members
    .map(([name, value]) => [name, innerText(value)] as const)
    .filter(([, text]) => text.trim() !== '')
    .map(([name, text]) => `${name}=${text}`)
    .join(' ');

/** A value as text: strings unchanged, members with their names; empty if absent, null or empty. */
export const viewText = (value: unknown): string =>
  isObject(value) ? membersText(Object.entries(value)) : innerText(value);

/** Labelled values, without absent ones. The tone `time` marks an ISO 8601 time. */
export function viewFields(
  entries: readonly (readonly [label: string, value: unknown, tone?: Tone | 'time' | undefined])[],
): ViewField[] {
  return entries.flatMap(([label, value, tone]) => {
    if (tone === 'time') return timeField(label, value);
    const text = viewText(value);
    return text === '' ? [] : [{ label, text, ...(tone !== undefined && { tone }) }];
  });
}

/** A labelled time. */
export function timeField(label: string, value: unknown): ViewField[] {
  return typeof value === 'string' ? [{ label, text: value, is_time: true }] : [];
}

/** A cell of a table. */
export function viewCell(value: unknown, tone?: Tone): ViewText {
  return { text: viewText(value), ...(tone !== undefined && { tone }) };
}

/** A section with a table; an empty list if there are no rows. */
export function tableSection(
  title: string,
  columns: readonly string[],
  rows: readonly (readonly ViewText[])[],
  more: Pick<ViewTable, 'spare'> = {},
): ViewSection[] {
  return rows.length === 0 ? [] : [{ title, table: { columns, rows, ...more } }];
}

/** How a column shows an object: the member with this name, or the cell that this function makes. */
type Column = string | ((row: JsonObject) => ViewText);

/** A column that shows a member in the tone of its value. */
export function toned(name: string, tones: ReadonlyMap<unknown, Tone>): Column {
  return ({ [name]: value }) => viewCell(value, tones.get(value));
}

/** A column that shows a member in one tone. */
export function inTone(name: string, tone: Tone): Column {
  return ({ [name]: value }) => viewCell(value, tone);
}

/** A column that shows a member as a time. */
export function timeOf(name: string): Column {
  return ({ [name]: value }) => ({
    text: typeof value === 'string' ? value : '',
    tone: 'muted',
    is_time: true,
  });
}

/**
 * A section with a table of objects; an empty list if there are no objects. Columns given as a list have no
 * titles.
 */
export function objectTable(
  title: string,
  rows: readonly JsonObject[],
  columns: Readonly<Record<string, Column>> | readonly Column[],
): ViewSection[] {
  const cells = Object.values<Column>(columns);
  return tableSection(
    title,
    Array.isArray(columns) ? [] : Object.keys(columns),
    rows.map((row) => cells.map((cell) => (typeof cell === 'string' ? viewCell(row[cell]) : cell(row)))),
  );
}
