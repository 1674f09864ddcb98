import { defined } from '../../base/json/defined.ts';
import { wholeCharacters } from '../../base/json/place.ts';
import { parseInstant } from '../../base/time/instant.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import type { Corruption } from '../../log/corruption.ts';
import type { LogRecord } from '../../log/record.ts';
import type { CallWaits } from '../../read/describe/call-waits.ts';
import { textOf } from '../../read/describe/event-of-log.ts';
import { type SpanOf, spansInOrder } from '../../read/describe/span.ts';
import { spanOfRecord } from '../../read/describe/spans.ts';
import { namesOf } from '../../read/select/lineage.ts';
import {
  type EventTable,
  LOST_CAUSE,
  NO_CAUSE,
  type RowStatus,
  type RowWait,
  STATUSES,
  type WordColumn,
} from './page-data.ts';

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
  readonly tool: string | undefined;
  readonly status: RowStatus;
  readonly start: number | undefined;
  /** The time of the record. */
  readonly written: number | undefined;
  /** The line of its call, if that is another one. */
  readonly callLine: number | undefined;
  /** From its start to its end, in milliseconds. */
  readonly lasted: number | undefined;
  readonly text: string;
  /** The stored line. */
  readonly stored: Buffer;
}

/** A description on one line. */
const cut = (text: string): string =>
  wholeCharacters(
    text
      .slice(0, 2 * LONGEST_TEXT)
      .replaceAll(/\s+/g, ' ')
      .slice(0, LONGEST_TEXT),
  );

/** Makes a column of few different words. */
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

/** Rounds to a microsecond, the precision of logs; a sum of doubles has more digits. */
const micros = (ms: number): number => Math.round(ms * 1000) / 1000;

/** Collects the columns and stored lines of a log's events. */
export class EventRows {
  readonly #dialect: Dialect;
  readonly #spanOf: SpanOf;
  readonly #toolOf: ((record: LogRecord) => string | undefined) | undefined;
  #rows: TableRow[] = [];

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
    this.#spanOf = spansInOrder(dialect);
    this.#toolOf = dialect.filters?.find(({ name }) => name === 'tool')?.value;
  }

  get count(): number {
    return this.#rows.length;
  }

  add(record: LogRecord): void {
    const { view } = this.#dialect;
    const event = this.#spanOf(record.value, record.line);
    const { id, parent, name, phase, start, callLine, durationMs, status } = spanOfRecord(
      record,
      this.#dialect,
      () => event,
    );
    const { operation, tools = [] } = event;
    const ofSpan = operation?.kind === 'tool' ? operation.tool : tools[0];
    this.#rows.push({
      line: record.line,
      id: id ?? '',
      names: namesOf(record, this.#dialect),
      cause: parent,
      phase: phase ?? view.kind?.(record),
      type: view.type(record),
      agent: view.agent(record),
      name,
      tool: this.#toolOf?.(record) ?? ofSpan,
      status,
      start: parseInstant(start),
      written: parseInstant(this.#dialect.eventTime(record.value)),
      callLine,
      lasted: durationMs,
      text: cut(textOf(record.shown, this.#dialect)),
      stored: Buffer.from(record.printedBytes),
    });
  }

  /** Shows a line that is not an event in its place. */
  addCorrupt({ line, message, excerpt }: Corruption): void {
    const nothing = {
      phase: undefined,
      agent: undefined,
      cause: undefined,
      tool: undefined,
      start: undefined,
      written: undefined,
      callLine: undefined,
      lasted: undefined,
    };
    const [type, name] = ['damaged line', 'damaged line'];
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

  /** The rows as columns, and the stored lines joined. `waits`: of the whole log. `from`: the start of the run. */
  result(waits: CallWaits, from = 0): { readonly table: EventTable; readonly lines: Buffer } {
    // Sorts, because a damaged line may be reported after the lines that follow it.
    const rows = this.#rows.sort((a, b) => a.line - b.line);
    const newline = Buffer.from('\n');
    const times = rows.map(({ line, callLine, lasted }) =>
      waits.timesOf({ callLine, durationMs: lasted }, line),
    );
    const table: EventTable = {
      line: rows.map(({ line }) => line),
      id: rows.map(({ id }) => id),
      ...causesOf(rows),
      phase: wordColumn(rows, ({ phase }) => phase),
      type: wordColumn(rows, ({ type }) => type),
      agent: wordColumn(rows, ({ agent }) => agent),
      name: wordColumn(rows, ({ name }) => name),
      tool: wordColumn(rows, ({ tool }) => tool),
      status: rows.map(({ status }) => STATUSES.indexOf(status)),
      start: rows.map(({ start }) => (start === undefined ? null : micros(start - from))),
      written: Object.fromEntries(
        rows.flatMap(({ start, written }, row): [number, number][] =>
          written === undefined || written === start ? [] : [[row, micros(written - from)]],
        ),
      ),
      took: times.map(({ durationMs }) => (durationMs === undefined ? null : micros(durationMs))),
      waits: Object.fromEntries(
        times.flatMap(({ waitedMs, atLeastMs, atMostMs }, row): [number, RowWait][] => {
          const wait = defined({ waited_ms: waitedMs, at_least_ms: atLeastMs, at_most_ms: atMostMs });
          return Object.keys(wait).length === 0 ? [] : [[row, wait]];
        }),
      ),
      text: rows.map(({ text }) => text),
      base: from,
    };
    return { table, lines: Buffer.concat(rows.flatMap(({ stored }) => [stored, newline])) };
  }
}

/** The row of each event's cause. The first of several events with the same id counts. */
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
