import type { Dialect } from '../src/dialects/dialect.ts';
import type { JsonPath } from '../src/json/path.ts';
import type { JsonObject } from '../src/json/value.ts';
import { parseStored } from '../src/log/stored-lines.ts';
import { type EventRow, EventsTable } from '../src/render/events-table.ts';
import { copyLines, readLines } from '../src/select/copy-lines.ts';
import type { LineRanges } from '../src/select/line-ranges.ts';
import { parseFields, pickedLines } from '../src/select/pick-fields.ts';
import type { Selection } from '../src/select/select.ts';
import { parseInstant } from '../src/time/instant.ts';
import type { Context } from './context.ts';
import type { OpenLog } from './open-log.ts';

/** How a selection is shown. */
export interface PrintOptions {
  readonly fields?: string;
  readonly utc?: boolean;
}

/** The selected events, as the options want them: stored lines or fields with `-j`, else a table. */
export async function printSelection(
  context: Context,
  log: OpenLog,
  selection: Selection,
  options: PrintOptions,
): Promise<void> {
  const { lines, startedAt } = selection;
  if (options.fields !== undefined) return printFields(context, log.path, lines, parseFields(options.fields));
  if (context.json) return printStored(context, log.path, lines);
  return printTable(context, log.path, lines, { dialect: log.dialect, startedAt, utc: options.utc ?? false });
}

/** So many rows decide how wide the columns of a table are, where there are as many. */
const SAMPLE_ROWS = 100;

/** What a table of events needs to know beyond the events. */
interface TableSettings {
  readonly dialect: Dialect;
  readonly startedAt: string | undefined;
  readonly utc: boolean;
}

/** The selected lines as they are stored. */
async function printStored(context: Context, path: string, lines: LineRanges): Promise<void> {
  for await (const chunk of copyLines(path, lines)) await context.out(chunk);
}

async function* parsedLines(
  path: string,
  lines: LineRanges,
): AsyncGenerator<{ line: number; event: JsonObject }[]> {
  for await (const { bytes, byteStart, from, to } of readLines(path, lines)) {
    const batch: { line: number; event: JsonObject }[] = [];
    for (let index = from; index < to; index += 1) {
      const text = bytes.toString(
        'utf8',
        lines.byteStart(index) - byteStart,
        lines.byteEnd(index) - byteStart,
      );
      batch.push({ line: lines.line(index), event: parseStored(text) });
    }
    yield batch;
  }
}

/** Only some fields of the selected lines, as NDJSON. */
async function printFields(
  context: Context,
  path: string,
  lines: LineRanges,
  fields: readonly JsonPath[],
): Promise<void> {
  for await (const batch of parsedLines(path, lines)) {
    const events = batch.map(({ event }) => event);
    await context.out(pickedLines(events, fields));
  }
}

/** The selected lines as a table. */
async function printTable(
  context: Context,
  path: string,
  lines: LineRanges,
  settings: TableSettings,
): Promise<void> {
  const { dialect, startedAt, utc } = settings;
  const [first, last] = await edgeTimes(path, lines, dialect);
  const batches = rowBatches(path, lines, dialect);
  const sample = (await batches.next()).value ?? [];
  const table = new EventsTable({
    columns: dialect.columns,
    width: context.cutWidth,
    style: await context.style,
    zone: utc ? 'utc' : 'local',
    first,
    last,
    start: startedAt === undefined ? undefined : parseInstant(startedAt),
    // A chain goes backwards.
    known: { sample, lastLine: Math.max(lines.line(0), lines.line(lines.length - 1)) },
  });
  await context.out((context.quiet ? '' : table.header()) + table.rows(sample));
  for await (const rows of batches) await context.out(table.rows(rows));
}

/** The selected lines as rows; the first batch is large enough to lay a table out by, where there is as much. */
async function* rowBatches(
  path: string,
  lines: LineRanges,
  dialect: Dialect,
): AsyncGenerator<EventRow[], undefined> {
  let rows: EventRow[] = [];
  for await (const batch of parsedLines(path, lines)) {
    for (const { line, event } of batch) rows.push({ line, time: dialect.eventTime(event), event });
    if (rows.length < SAMPLE_ROWS) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}

async function edgeTimes(path: string, lines: LineRanges, dialect: Dialect): Promise<(number | undefined)[]> {
  const times: (number | undefined)[] = [];
  for (const index of [0, lines.length - 1]) {
    if (index < 0 || index >= lines.length) return [undefined, undefined];
    for await (const [row] of parsedLines(path, lines.only(index))) {
      const time = row && dialect.eventTime(row.event);
      times.push(time === undefined ? undefined : parseInstant(time));
    }
  }
  return times;
}
