import { UsageError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json/value.ts';
import { matchesGlob } from '../../base/text/glob.ts';
import { parseInstant } from '../../base/time/instant.ts';
import type { RecordSource } from '../../dialects/dialect.ts';
import type { EventSpan } from '../../dialects/kit/account.ts';
import { filterNamed } from '../../dialects/kit/record-filters.ts';
import type { Role } from '../../dialects/kit/role.ts';
import type { LogRecord } from '../../log/record.ts';
import { failureOf } from '../describe/span.ts';
import type { TextSearch } from './text-search.ts';

/**
 * Which records to select. Different filters combine with AND, the values of one filter with OR. An empty
 * filter selects all.
 */
export interface Filters {
  readonly phases: readonly string[];
  /** Globs: `*` matches any characters, including dots. */
  readonly types: readonly string[];
  readonly agents: readonly string[];
  readonly roles?: readonly Role[];
  /** Milliseconds since 1970, inclusive. */
  readonly since?: number;
  readonly until?: number;
  /** Only failed or refused events. */
  readonly failed?: boolean;
  /** A text in the stored record. */
  readonly search?: TextSearch | undefined;
  /** Values for filters of single dialects, by filter name. */
  readonly own?: readonly { readonly name: string; readonly values: readonly string[] }[];
}

/** Whether the filters exclude anything. */
export const hasAny = (filters: Filters): boolean =>
  Object.values(filters).some((filter) => (Array.isArray(filter) ? filter.length > 0 : filter !== undefined));

/** Whether a filter names several words. */
export const hasSeveral = ({ phases, types, agents, roles = [], own = [] }: Filters): boolean =>
  [phases, types, agents, roles, ...own.map(({ values }) => values)].some(({ length }) => length > 1);

/** A filter by words. */
export interface WordFilter {
  /** The name of its option. */
  readonly name: string;
  readonly wanted: readonly string[];
  /** The words are globs. */
  readonly isGlob: boolean;
  /** Functions that return the words of a record; undefined if the dialect has none. */
  readonly words: readonly WordReader[] | undefined;
}

/** Returns the words of a record. The span is present if {@link needsSpans} says so. */
type WordReader = (record: LogRecord, span?: EventSpan) => string | readonly string[] | undefined;

/** Returns a function that makes the spans of a log's records, called in order. */
export function spanReader(
  { span, spans }: RecordSource,
  reader = spans?.(),
): (event: JsonObject, line: number) => EventSpan | undefined {
  return (event, line) => (reader ? reader.span(event, line) : span?.(event));
}

/** Whether filters need the spans of records. */
export const needsSpans = (filters: Filters): boolean => filters.failed === true || isByTool(filters);

export const isByTool = ({ own = [] }: Filters): boolean => own.some(({ name }) => name === 'tool');

export const hasFailed = (span: EventSpan | undefined): boolean =>
  span !== undefined && failureOf(span) !== undefined;

/** The tools of a call and its results. */
const toolsOf = ({ tools, operation }: EventSpan): readonly string[] | undefined =>
  tools ?? (operation?.kind === 'tool' ? [operation.tool] : undefined);

/** The active word filters. This is their only list; tests and explanations use it. */
export function wordFilters(
  { phases, types, agents, roles = [], own = [] }: Filters,
  source: RecordSource,
  early: Hindsight['early'] = new Map(),
): readonly WordFilter[] {
  const { phase, kind, type, presentType, role, agent } = source.view;
  const phaseWords = [phase, kind].filter((words) => words !== undefined);
  const filters: readonly WordFilter[] = [
    { name: 'phase', wanted: phases, isGlob: false, words: phaseWords.length > 0 ? phaseWords : undefined },
    { name: 'type', wanted: types, isGlob: true, words: presentType ? [type, presentType] : [type] },
    { name: 'role', wanted: roles, isGlob: false, words: role && [role] },
    { name: 'agent', wanted: agents, isGlob: true, words: [agent] },
    ...own.map((filter) => ownFilter(filter, source, early)),
  ];
  return filters.filter(({ wanted }) => wanted.length > 0);
}

function ownFilter(
  { name, values }: { readonly name: string; readonly values: readonly string[] },
  source: RecordSource,
  early: Hindsight['early'] = new Map(),
): WordFilter {
  const filter = filterNamed(source, name);
  const ofSpan: WordReader[] =
    name === 'tool' ? [(_, span) => span && toolsOf(span), ({ line }) => early.get(line)] : [];
  return { name, wanted: values, isGlob: false, words: filter && [filter.value, ...ofSpan] };
}

type Test = (record: LogRecord, span?: EventSpan) => boolean;

/** Throws `usage` if the dialect does not have the filter. */
function wordTest({ name, wanted, isGlob, words }: WordFilter, source: RecordSource): Test {
  if (words === undefined)
    throw new UsageError('usage', `--${name} does not apply to ${source.name} logs`, {
      hint: `remove --${name}, or give the dialect with --dialect`,
    });
  const exact = new Set(wanted);
  const isWanted = isGlob
    ? (word: string) => wanted.some((glob) => matchesGlob(word, glob))
    : (word: string) => exact.has(word);
  // Most records have one word, which needs no list: this runs for every record of a log.
  return (record, span) =>
    words.some((read) => {
      const own = read(record, span);
      return typeof own === 'string' ? isWanted(own) : own?.some(isWanted) === true;
    });
}

/** Whether a record belongs to the selected runs. True for logs without runs. */
export function compileRunFilter({ own = [] }: Pick<Filters, 'own'>, source: RecordSource): Test {
  const wanted = own.find(({ name }) => name === 'run');
  return wanted === undefined ? () => true : wordTest(ownFilter(wanted, source), source);
}

/** Facts about records that only later records contain. */
export interface Hindsight {
  /** The lines of calls without a result, which count as failed. */
  readonly lost?: ReadonlySet<number>;
  /** The tools of results before their calls, by line. The test of the filters also adds them. */
  readonly early?: Map<number, string>;
}

/**
 * Compiles the filters into one test, which must be called for the records in log order. A record without a time
 * never fits `since` or `until`. Throws `usage` for a filter that the dialect does not have.
 */
export function compileFilters(
  filters: Filters,
  source: RecordSource,
  { lost = new Set(), early = new Map() }: Hindsight = {},
): (record: LogRecord) => boolean {
  const { since, until, search, failed } = filters;
  const { view } = source;
  const tests = wordFilters(filters, source, early).map((filter) => wordTest(filter, source));
  if (since !== undefined || until !== undefined) {
    tests.push((record) => {
      const time = parseInstant(view.time(record));
      return (
        time !== undefined && (since === undefined || time >= since) && (until === undefined || time <= until)
      );
    });
  }
  if (search !== undefined) tests.push((record) => search.isIn(record));
  if (failed) tests.push(({ line }, span) => hasFailed(span) || lost.has(line));
  if (!needsSpans(filters)) return (record) => tests.every((test) => test(record));
  const spanOf = spanReader(source);
  return (record) => {
    const span = spanOf(record.value, record.line);
    for (const { line, tool } of span?.early ?? []) early.set(line, tool);
    return tests.every((test) => test(record, span));
  };
}

/**
 * Calls `pass` with the test of the filters, for a pass over all records of a log. Calls it once more if a filter
 * by tool met a result before its call.
 */
export async function passOver<Result>(
  filters: Filters,
  source: RecordSource,
  pass: (passes: (record: LogRecord) => boolean, isAgain: boolean) => Promise<Result>,
  lost?: ReadonlySet<number>,
): Promise<Result> {
  const early = new Map<number, string>();
  const hindsight = { early, ...(lost && { lost }) };
  const result = await pass(compileFilters(filters, source, hindsight), false);
  return early.size === 0 || !isByTool(filters)
    ? result
    : pass(compileFilters(filters, source, hindsight), true);
}
