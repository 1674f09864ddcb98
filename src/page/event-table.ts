import { type Span, spanMaker } from '../describe/spans.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { wholeCharacters } from '../json/place.ts';
import type { Corruption } from '../log/corruption.ts';
import type { LogRecord } from '../log/record.ts';
import { parseInstant } from '../time/instant.ts';
import {
  type EventTable,
  LOST_CAUSE,
  NO_CAUSE,
  type RowStatus,
  STATUSES,
  type WordColumn,
} from './document.ts';

/** In UTF-16 units: longer descriptions are cut in the list. */
const LONGEST_TEXT = 160;

interface TableRow {
  readonly line: number;
  readonly id: string;
  readonly names: readonly string[];
  readonly cause: string | undefined;
  readonly phase: string | undefined;
  readonly type: string | undefined;
  readonly agent: string | undefined;
  readonly name: string | undefined;
  readonly status: RowStatus;
  readonly start: number | undefined;
  readonly took: number | undefined;
  readonly text: string;
  /** The stored line. */
  readonly stored: Buffer;
}

const cut = (text: string): string => wholeCharacters(text.slice(0, LONGEST_TEXT));

/** A column of few different words. */
function wordColumn(rows: readonly TableRow[], of: (row: TableRow) => string | undefined): WordColumn {
  const places = new Map<string, number>();
  const at = rows.map((row) => {
    const word = of(row);
    if (word === undefined) return -1;
    const place = places.get(word) ?? places.size;
    places.set(word, place);
    return place;
  });
  return { words: [...places.keys()], at };
}

/** To the microsecond, which is as fine as logs are; a sum of doubles has more digits. */
const micros = (ms: number): number => Math.round(ms * 1000) / 1000;

/** Gathers what a page shows of the events of a log, and their stored lines. */
export class EventRows {
  readonly #dialect: Dialect;
  readonly #spanOf: (record: LogRecord) => Span;
  #rows: TableRow[] = [];

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
    this.#spanOf = spanMaker(dialect);
  }

  get count(): number {
    return this.#rows.length;
  }

  add(record: LogRecord): void {
    const { view, columns, aliases } = this.#dialect;
    const { id, parent, name, phase, start, durationMs, status } = this.#spanOf(record);
    this.#rows.push({
      line: record.line,
      id: id ?? '',
      names: [...(id === undefined ? [] : [id]), ...(aliases?.(record) ?? [])],
      cause: parent,
      phase,
      type: view.type(record),
      agent: view.agent(record),
      name,
      status,
      start: parseInstant(start ?? ''),
      took: durationMs,
      text: cut(
        columns
          .slice(-1)
          .map(({ cell }) => cell(record.shown))
          .join(''),
      ),
      stored: Buffer.from(record.printedBytes),
    });
  }

  /** A line that is not an event is shown in place. */
  addCorrupt({ line, message, excerpt }: Corruption): void {
    const nothing = {
      phase: undefined,
      agent: undefined,
      cause: undefined,
      start: undefined,
      took: undefined,
    };
    const [type, name] = ['corrupt line', 'corrupt line'];
    const stored = Buffer.from(excerpt.replaceAll('\n', ' '));
    this.#rows.push({
      ...nothing,
      line,
      id: '',
      names: [],
      type,
      name,
      status: 'corrupt',
      text: cut(message),
      stored,
    });
  }

  /** The rows as columns, and the stored lines below each other. */
  result(): { readonly table: EventTable; readonly lines: Buffer } {
    // A line is found corrupt when the next ones have been looked at.
    const rows = this.#rows.sort((a, b) => a.line - b.line);
    const base = rows.reduce((least, { start = Infinity }) => Math.min(least, start), Infinity);
    const from = Number.isFinite(base) ? base : 0;
    const newline = Buffer.from('\n');
    const table: EventTable = {
      line: rows.map(({ line }) => line),
      id: rows.map(({ id }) => id),
      ...causesOf(rows),
      phase: wordColumn(rows, ({ phase }) => phase),
      type: wordColumn(rows, ({ type }) => type),
      agent: wordColumn(rows, ({ agent }) => agent),
      name: wordColumn(rows, ({ name }) => name),
      status: rows.map(({ status }) => STATUSES.indexOf(status)),
      start: rows.map(({ start }) => (start === undefined ? null : micros(start - from))),
      took: rows.map(({ took }) => (took === undefined ? null : micros(took))),
      text: rows.map(({ text }) => text),
      base: from,
    };
    return { table, lines: Buffer.concat(rows.flatMap(({ stored }) => [stored, newline])) };
  }
}

/** The row of each event's cause; of events with one id the first counts. */
function causesOf(rows: readonly TableRow[]): Pick<EventTable, 'cause' | 'lost'> {
  const byName = new Map<string, number>();
  for (const [index, { names }] of rows.entries())
    for (const name of names) if (!byName.has(name)) byName.set(name, index);
  const lost: Record<number, string> = {};
  const cause = rows.map(({ cause: id }, index) => {
    if (id === undefined) return NO_CAUSE;
    const row = byName.get(id);
    if (row === undefined) lost[index] = id;
    return row ?? LOST_CAUSE;
  });
  return { cause, lost };
}
