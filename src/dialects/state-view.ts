import { textOf } from '../json/write.ts';
/** How a text is meant: a renderer with colours tells them apart by it. */
export type Tone = 'good' | 'bad' | 'doubtful' | 'muted' | 'name';

/** A text of a view, as the trace has it: renderers escape it. */
export interface ViewText {
  readonly text: string;
  readonly tone?: Tone;
  /** An ISO 8601 time, to be shown on the reader's clock. */
  readonly isTime?: true;
}

/** A named value. */
export interface ViewField extends ViewText {
  readonly label: string;
}

/** Rows of cells under titles; a row may be shorter than the titles. Without titles the rows stand alone. */
export interface ViewTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly ViewText[])[];
}

/** One part of a view: a title, then named values, then a table, then lines of text, each where it is there. */
export interface ViewSection {
  readonly title?: string;
  readonly fields?: readonly ViewField[];
  readonly table?: ViewTable;
  readonly lines?: readonly ViewText[];
}

/** A state as people read it: what matters, in order. Plain data, neither escaped nor laid out. */
export type StateView = readonly ViewSection[];

/** A value as a text: a string as it is, anything else as JSON; nothing for what is absent, null or empty. */
export function viewText(value: unknown): string {
  if (value === undefined || value === null || value === '') return '';
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ');
  return textOf(value);
}

/** The values that are there, under their labels. */
export function viewFields(
  entries: readonly (readonly [label: string, value: unknown, tone?: Tone | undefined])[],
): ViewField[] {
  return entries
    .map(([label, value, tone]) => ({ label, text: viewText(value), ...(tone !== undefined && { tone }) }))
    .filter(({ text }) => text !== '');
}

/** A time, under a label. */
export function timeField(label: string, value: unknown): ViewField[] {
  return typeof value === 'string' ? [{ label, text: value, isTime: true }] : [];
}

/** A time in a cell of a table. */
export function timeCell(value: unknown): ViewText {
  return { text: typeof value === 'string' ? value : '', tone: 'muted', isTime: true };
}

/** A cell of a table. */
export function viewCell(value: unknown, tone?: Tone): ViewText {
  return { text: viewText(value), ...(tone !== undefined && { tone }) };
}

/** A section with a table; none where there are no rows. */
export function tableSection(
  title: string,
  columns: readonly string[],
  rows: readonly (readonly ViewText[])[],
): ViewSection[] {
  return rows.length === 0 ? [] : [{ title, table: { columns, rows } }];
}
