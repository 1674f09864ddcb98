import { Yielder } from '../../base/time/yielder.ts';
import type { RecordSource } from '../../dialects/dialect.ts';
import { RunStart } from '../../dialects/kit/run-start.ts';
import { CorruptLines, type SkippedLines } from '../../log/corrupt-lines.ts';
import type { Corruption } from '../../log/corruption.ts';
import type { LogRecord } from '../../log/record.ts';
import type { Row } from '../../log/row.ts';
import { readUntilCorrupt } from '../../log/until-corrupt.ts';
import { compileRunFilter, type Filters, isByTool, passOver } from './filter.ts';
import { LineRanges } from './line-ranges.ts';
import { type ChainEnd, Lineage } from './lineage.ts';
import { lostCalls } from './lost-calls.ts';

/** Which lines of a log to select. */
export interface Query {
  readonly filters: Filters;
  /** The id of an event: select it and its ancestors, then filter. */
  readonly chain?: string;
  /** The id of an event: select it and its descendants, then filter. */
  readonly descendants?: string;
  /** Keep the first n, after the filters. */
  readonly limit?: number;
  /** Keep the last n, after the filters. */
  readonly last?: number;
  /** Skip corrupt lines. */
  readonly partial?: boolean;
}

/** The result of a query. Contains the places of lines, not the lines. */
export interface Selection {
  readonly lines: LineRanges;
  /** The first corruption; only lines before it are selected. */
  readonly corruption: Corruption | undefined;
  /** The skipped corrupt lines, if the query asked to skip them. */
  readonly skipped?: SkippedLines | undefined;
  /** How the chain ended, unless at an event without a cause. */
  readonly chainEnd?: ChainEnd | undefined;
  /** When the log or the selected run starts, in milliseconds since 1970. */
  readonly startedAt: number | undefined;
}

/** Lines beyond the last wanted ones are dropped in batches of this size. */
const SLACK = 4096;

/**
 * Reads a log to its end, or to its first corrupt line, and notes which lines a query selects. `onBytes` receives
 * the progress; `also` receives each record. If the log is intact, throws `event-missing` or `event-ambiguous`
 * for a chain or descendants of an event that cannot be found.
 */
export async function selectLines(
  log: string,
  query: Query,
  source: RecordSource,
  onBytes?: (bytes: number) => void,
  also?: AlsoSelecting,
): Promise<Selection> {
  const select = (passes: (record: LogRecord) => boolean, isAgain: boolean) =>
    selectPassing(log, query, source, passes, isAgain ? {} : { onBytes, also });
  return passOver(query.filters, source, select, await lostCalls(log, query.filters, source));
}

/** Receives each record and each damaged line of a log, in order. */
interface AlsoSelecting {
  add(record: LogRecord): void;
  lost?(line: number): void;
}

interface Observers {
  readonly onBytes?: ((bytes: number) => void) | undefined;
  readonly also?: AlsoSelecting | undefined;
}

async function selectPassing(
  log: string,
  query: Query,
  source: RecordSource,
  passes: (record: LogRecord) => boolean,
  { onBytes, also }: Observers,
): Promise<Selection> {
  const { chain, descendants, limit = Infinity, last } = query;
  const named = chain ?? descendants;
  // A later call may belong to a result among the first ones.
  const seesAll = isByTool(query.filters);
  const inRun = compileRunFilter(query.filters, source);
  const lineage = named === undefined ? undefined : new Lineage(source);
  const wanted = new LineRanges();
  const corrupt = new CorruptLines(query.partial);
  const start = new RunStart(source);
  const isFull = () => wanted.length >= limit && last === undefined && !lineage;
  const add = (line: number, { from, to }: LogRecord['printed']) => {
    wanted.add(line, from, to);
    if (last !== undefined && !lineage && wanted.length >= last + SLACK) wanted.keepLast(last);
  };
  const visitor = {
    row({ record }: Row) {
      if (inRun(record)) start.add(record);
      lineage?.add(record);
      also?.add(record);
      const isDone = isFull();
      if (isDone && !seesAll) return;
      if (passes(record) && !isDone) add(record.line, record.printed);
    },
    lost: (line: number) => also?.lost?.(line),
    onBytes,
  };
  const { extent, corruption } = await readUntilCorrupt(log, source.form, visitor, corrupt);
  const { skipped } = corrupt;
  const startedAt = start.at;
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

/** The `lines` that are also in `wanted`, in order. */
async function intersect(lines: LineRanges, wanted: LineRanges): Promise<LineRanges> {
  const both = new LineRanges();
  const yielder = new Yielder();
  for (let index = 0; index < lines.length; index += 1) {
    if (yielder.isDue) await yielder.yield();
    if (wanted.indexOfLine(lines.line(index)) >= 0) both.addFrom(lines, index);
  }
  return both;
}

function cut(lines: LineRanges, { limit, last }: Query): LineRanges {
  if (last !== undefined) lines.keepLast(last);
  if (limit !== undefined) lines.keepFirst(limit);
  return lines;
}
