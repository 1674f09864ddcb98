import { UsageError } from '../../base/errors.ts';
import { writeJson } from '../../base/json/write.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import type { AccountBuilder } from '../../dialects/kit/account.ts';
import type { LogForm } from '../../log/log-form.ts';
import type { LogRecord } from '../../log/record.ts';
import { spanOfEvent } from '../../read/describe/span.ts';
import { parseFields, pickFields } from '../../read/select/pick-fields.ts';
import { ResultTools } from '../../read/select/result-tools.ts';
import { recordsOf, type TakenLines } from '../../read/select/taken-lines.ts';
import { compileSearch, excerptOf, type TextSearch } from '../../read/select/text-search.ts';
import type { EventRow, EventsTableOptions } from '../../show/render/events-columns.ts';
import { EventsTable } from '../../show/render/events-table.ts';
import type { Context } from '../context.ts';
import { Pieces } from '../pieces.ts';

/** How events are shown. */
export interface PrintOptions {
  readonly fields?: string;
  readonly ids?: boolean;
  readonly utc?: boolean;
  /** The search term. */
  readonly grep?: string;
}

/** A sample of the events, for the widths of columns; without it a table has full widths. */
export type KnownEvents = Pick<EventsTableOptions, 'first' | 'last' | 'start' | 'known'> & {
  readonly tools?: ResultTools | undefined;
};

/** Receives the selected events. */
export interface EventPrinter {
  header(): Promise<void>;
  print(lines: TakenLines): Promise<void>;
}

/** Throws `usage` for invalid fields, and for fields with a table. */
export function requireUsableFields({ json }: Context, fields: string | undefined): void {
  if (fields === undefined) return;
  if (!json)
    throw new UsageError('usage', '--fields needs -j', {
      hint: 'add -j to choose fields; a table has fixed columns',
    });
  parseFields(fields);
}

/** Finds the tools of results for a table, and with an account also calls without a result. */
export const toolsFor = (
  { json }: Context,
  dialect: Dialect,
  account?: AccountBuilder,
): ResultTools | undefined =>
  !json && dialect.columns.some(({ isTool }) => isTool) ? new ResultTools(dialect, account) : undefined;

/** The printer for the options: stored events, fields, or a table. */
export async function eventPrinter(
  context: Context,
  dialect: Dialect,
  options: PrintOptions,
  known: () => Promise<KnownEvents>,
): Promise<EventPrinter> {
  const header = async () => {};
  if (options.fields !== undefined) {
    const fields = parseFields(options.fields);
    const line = (record: LogRecord) => `${writeJson(pickFields(record.exact, fields))}\n`;
    return { header, print: (lines) => printText(lines, line, (text) => context.out(text), dialect.form) };
  }
  if (context.json) return { header, print: ({ bytes }) => context.out(bytes) };
  return tablePrinter(context, dialect, options, await known());
}

/** Writes a text per record. */
export async function printText(
  lines: TakenLines,
  textOf: (record: LogRecord) => string,
  write: (text: string) => Promise<void>,
  form: LogForm,
): Promise<void> {
  const out = new Pieces(write);
  for (const record of recordsOf(lines, form)) if (out.add(textOf(record))) await out.write();
  await out.write();
}

/** A record as a row of the table. */
export function rowOf(
  record: LogRecord,
  dialect: Dialect,
  {
    search,
    tools,
  }: { readonly search?: TextSearch | undefined; readonly tools?: ResultTools | undefined } = {},
): EventRow {
  const { view } = dialect;
  const isLost = tools?.isLost(record.line) ?? false;
  return {
    line: record.line,
    time: view.time(record),
    id: view.id(record),
    event: record.shown,
    status: isLost ? 'error' : spanOfEvent(dialect, record.value).status,
    call: tools?.at(record.line),
    isLost,
    excerpt: search && excerptOf(search, record.text),
  };
}

/** A table of events as wide as the terminal, in which matches are marked, and the function that makes its rows. */
export async function eventsTable(
  context: Context,
  dialect: Dialect,
  { ids = false, utc = false, grep }: PrintOptions,
  layout: Partial<EventsTableOptions> = {},
) {
  const search = grep === undefined ? undefined : compileSearch(grep);
  const table = new EventsTable({
    ...layout,
    columns: dialect.columns,
    width: context.cutWidth,
    style: await context.style,
    zone: utc ? 'utc' : 'local',
    ids,
    marks: search?.placesIn,
  });
  const toRow = (record: LogRecord, tools?: ResultTools) => rowOf(record, dialect, { search, tools });
  return { table, search, toRow };
}

async function tablePrinter(
  context: Context,
  dialect: Dialect,
  options: PrintOptions,
  { tools, ...known }: KnownEvents,
): Promise<EventPrinter> {
  const { table, search, toRow } = await eventsTable(context, dialect, options, known);
  const sample = new Map(search ? [] : known.known?.sample.map((row) => [row.line, row]));
  return {
    header: () => context.show(context.quiet ? '' : table.header()),
    print: (lines) => {
      // Few events are all in the sample, so they need not be read again.
      const rows = Array.from({ length: Math.min(lines.count, sample.size) }, (_, at) =>
        sample.get(lines.line(at)),
      ).filter((row) => row !== undefined);
      if (rows.length === lines.count) return context.show(rows.map((row) => table.row(row)).join(''));
      return printText(
        lines,
        (record) => table.row(toRow(record, tools)),
        (text) => context.show(text),
        dialect.form,
      );
    },
  };
}
