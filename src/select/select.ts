import type { RecordSource } from '../dialects/dialect.ts';
import { CorruptLines, type SkippedLines } from '../log/corrupt-lines.ts';
import type { Corruption } from '../log/corruption.ts';
import type { LogRecord } from '../log/record.ts';
import type { Row } from '../log/row.ts';
import { readUntilCorrupt } from '../log/until-corrupt.ts';
import { Turns } from '../time/turns.ts';
import { compileFilters, compileRunFilter, type Filters } from './filter.ts';
import { LineRanges } from './line-ranges.ts';
import { type ChainEnd, Lineage } from './lineage.ts';

/** Which lines of a log are wanted. */
export interface Query {
  readonly filters: Filters;
  /** The id of an event: it and its ancestors, before the filters. */
  readonly chain?: string;
  /** The id of an event: it and all that it led to, before the filters. */
  readonly descendants?: string;
  /** The first so many, after the filters. */
  readonly limit?: number;
  /** The last so many, after the filters. */
  readonly last?: number;
  /** Goes on past corrupt lines. */
  readonly partial?: boolean;
}

/** What a query found. Nothing of the lines themselves is held. */
export interface Selection {
  readonly lines: LineRanges;
  /** The first corruption; the lines are those before it. */
  readonly corruption: Corruption | undefined;
  /** The corrupt lines that were gone past, where that was asked for. */
  readonly skipped?: SkippedLines | undefined;
  /** How the chain ended, where it did not end at an event without a cause. */
  readonly chainEnd?: ChainEnd | undefined;
  /** When the first record of the log happened, or of the run that is selected, ISO 8601. */
  readonly startedAt: string | undefined;
}

/** Lines more than the last wanted ones are let go in batches. */
const SLACK = 4096;

/**
 * Reads a log to its end, or to its first corrupt line, and notes which lines a query selects; `onBytes` hears how far
 * it has come, and `also` takes each record. Throws `event-missing` and `event-ambiguous` for a chain or descendants of
 * an event that is not there, once the log has been found whole.
 */
export async function selectLines(
  log: string,
  query: Query,
  source: RecordSource,
  onBytes?: (bytes: number) => void,
  also?: { add(record: LogRecord): void },
): Promise<Selection> {
  const { chain, descendants, limit = Infinity, last } = query;
  const named = chain ?? descendants;
  const { view } = source;
  const passes = compileFilters(query.filters, source);
  const inRun = compileRunFilter(query.filters, source);
  const lineage = named === undefined ? undefined : new Lineage(source);
  const wanted = new LineRanges();
  const corrupt = new CorruptLines(query.partial);
  let startedAt: string | undefined;
  const isFull = () => wanted.length >= limit && last === undefined && !lineage;
  const add = (line: number, { from, to }: LogRecord['printed']) => {
    wanted.add(line, from, to);
    if (last !== undefined && !lineage && wanted.length >= last + SLACK) wanted.keepLast(last);
  };
  const visitor = {
    row({ record }: Row) {
      // Some records have no time, also at the beginning.
      if (startedAt === undefined && inRun(record)) startedAt = view.time(record);
      lineage?.add(record);
      also?.add(record);
      if (!isFull() && passes(record)) add(record.line, record.printed);
    },
    layout: source.layout,
    onBytes,
  };
  const { extent, corruption } = await readUntilCorrupt(log, visitor, corrupt);
  const { skipped } = corrupt;
  if (!lineage || named === undefined)
    return { lines: cut(wanted, query).of(extent.file), corruption, skipped, startedAt };
  if (corruption && !(await lineage.has(named))) return { lines: new LineRanges(), corruption, startedAt };
  const { lines, end } =
    chain === undefined
      ? { lines: await lineage.descendants(named), end: undefined }
      : await lineage.chain(named);
  return {
    lines: cut(await intersect(lines, wanted), query).of(extent.file),
    corruption,
    skipped,
    startedAt,
    chainEnd: end,
  };
}

/** Whether a line is among others, which are in the order of the file. A set holds no more than 2^24 of them. */
function holds(lines: LineRanges, line: number): boolean {
  let from = 0;
  let to = lines.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (lines.line(middle) < line) from = middle + 1;
    else to = middle;
  }
  return from < lines.length && lines.line(from) === line;
}

/** Those of `lines`, in their order, that are in `wanted` too. */
async function intersect(lines: LineRanges, wanted: LineRanges): Promise<LineRanges> {
  const both = new LineRanges();
  const turns = new Turns();
  for (let index = 0; index < lines.length; index += 1) {
    if (turns.isDue) await turns.give();
    if (holds(wanted, lines.line(index)))
      both.add(lines.line(index), lines.byteStart(index), lines.byteEnd(index));
  }
  return both;
}

function cut(lines: LineRanges, { limit, last }: Query): LineRanges {
  if (last !== undefined) lines.keepLast(last);
  if (limit !== undefined) lines.keepFirst(limit);
  return lines;
}
