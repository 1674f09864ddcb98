import { parseInstant } from '../../base/time/instant.ts';
import { copyLines } from '../../read/select/copy-lines.ts';
import { type Filters, hasAny } from '../../read/select/filter.ts';
import type { LineRanges } from '../../read/select/line-ranges.ts';
import type { ResultTools } from '../../read/select/result-tools.ts';
import type { Selection } from '../../read/select/select.ts';
import { recordsOf, type TakenLines } from '../../read/select/taken-lines.ts';
import { escapeText } from '../../show/render/escape.ts';
import type { EventRow } from '../../show/render/events-columns.ts';
import type { Context } from '../context.ts';
import type { OpenLog } from '../targets/open-log.ts';
import { eventPrinter, type KnownEvents, type PrintOptions, rowOf } from './event-printer.ts';

/** The number of rows, and of bytes, sampled for column widths. */
const SAMPLE_ROWS = 100;
const SAMPLE_BYTES = 1 << 20;
/** The number of rows at the end among which the last time is looked for, because programs write records without one. */
const LAST_ROWS = 16;

/** Prints the selected events by reading their lines again. Without any, prints no heading either. */
export async function printSelection(
  context: Context,
  log: OpenLog,
  { lines, startedAt }: Selection,
  options: PrintOptions,
  tools?: ResultTools,
): Promise<void> {
  if (lines.length === 0) return;
  const printer = await eventPrinter(context, log.dialect, options, () =>
    knownOf(log, lines, startedAt, tools),
  );
  await printer.header();
  for await (const taken of copyLines(log.path, lines)) await printer.print(taken);
}

/** Says that nothing was asked for: an empty answer would look like one about the log. */
export async function sayNoneAsked(
  context: Context,
  { limit, last, lines }: { readonly limit?: number; readonly last?: number; readonly lines?: number },
): Promise<void> {
  const zero = Object.entries({ '--limit': limit, '--last': last, '--lines': lines }).find(
    ([, n]) => n === 0,
  );
  if (zero !== undefined && !context.json) await context.say(`no events shown, because ${zero[0]} is 0`);
}

/** Explains an empty result, which may be due to a typing error. */
export async function sayWhyNothing(context: Context, log: OpenLog, filters: Filters): Promise<void> {
  // A program sees that no line came, but a filter may be mistyped.
  if (context.quiet || (context.json && !hasAny(filters))) return;
  const { NO_EVENT, whyNothing } = await import('../../read/select/no-match.ts');
  await sayReasons(context, hasAny(filters) ? await whyNothing(log.path, filters, log.dialect) : [NO_EVENT]);
}

/** Prints remarks that are trace text. */
export async function sayReasons(context: Context, reasons: readonly string[]): Promise<void> {
  for (const reason of reasons) await context.say(escapeText(reason));
}

/** A sample: the first rows, and both ends. */
async function knownOf(
  log: OpenLog,
  lines: LineRanges,
  startedAt: number | undefined,
  tools: ResultTools | undefined,
): Promise<KnownEvents> {
  const sample: EventRow[] = [];
  for await (const row of rows(log, lines.first(SAMPLE_ROWS, SAMPLE_BYTES), tools)) sample.push(row);
  return {
    first: parseInstant(sample.find(({ time }) => time !== undefined)?.time),
    last: await lastInstant(log, lines, sample),
    start: startedAt,
    tools,
    // A chain goes backwards.
    known: { sample, lastLine: Math.max(lines.line(0), lines.line(lines.length - 1)) },
  };
}

/** The time of the last row that has one. */
async function lastInstant(
  log: OpenLog,
  lines: LineRanges,
  sample: readonly EventRow[],
): Promise<number | undefined> {
  const end = Math.max(sample.length, lines.length - LAST_ROWS);
  for (let index = lines.length - 1; index >= end; index -= 1)
    for await (const { time } of rows(log, lines.only(index)))
      if (time !== undefined) return parseInstant(time);
  return lines.length - sample.length > LAST_ROWS
    ? undefined
    : parseInstant(sample.findLast(({ time }) => time !== undefined)?.time);
}

async function* rows(
  { path, dialect }: OpenLog,
  lines: LineRanges,
  tools?: ResultTools,
): AsyncGenerator<EventRow> {
  const all = (taken: TakenLines) =>
    Array.from(recordsOf(taken, dialect.form), (record) => rowOf(record, dialect, { tools }));
  for await (const taken of copyLines(path, lines)) yield* all(taken);
}
