import type { EventSpan } from '../dialects/account.ts';
import type { RecordSource } from '../dialects/dialect.ts';
import { filterNamed } from '../dialects/record-filters.ts';
import { UsageError } from '../errors.ts';
import type { JsonObject } from '../json/value.ts';
import type { LogRecord } from '../log/record.ts';
import { matchesGlob } from '../text/glob.ts';
import { parseInstant } from '../time/instant.ts';
import type { TextSearch } from './text-search.ts';

/** Which records are wanted. Different filters combine with AND, the values of one with OR; an empty one lets all pass. */
export interface Filters {
  readonly phases: readonly string[];
  /** Globs: `*` stands for any characters, dots included. */
  readonly types: readonly string[];
  readonly agents: readonly string[];
  /** Milliseconds since 1970, inclusive. */
  readonly since?: number;
  readonly until?: number;
  /** Only records that say that something failed or was refused. */
  readonly failed?: boolean;
  /** A text that the stored record holds. */
  readonly search?: TextSearch | undefined;
  /** Values of what only some dialects have, by the name of their filter. */
  readonly own?: readonly { readonly name: string; readonly values: readonly string[] }[];
}

/** Whether the filters leave anything out: one is a list of words, or a value. */
export const hasAny = (filters: Filters): boolean =>
  Object.values(filters).some((filter) => (Array.isArray(filter) ? filter.length > 0 : filter !== undefined));

/** A filter by words. */
export interface WordFilter {
  /** The name of its option. */
  readonly name: string;
  readonly wanted: readonly string[];
  /** The words are globs. */
  readonly isGlob: boolean;
  /** What gives the words of a record; undefined where no record of the dialect has any. */
  readonly words: readonly WordReader[] | undefined;
}

/** The words of a record; the span is there if {@link needsSpans} says so. */
type WordReader = (record: LogRecord, span?: EventSpan) => string | readonly string[] | undefined;

/** The span of each record of a log, handed over in their order. */
export function spanReader({ span, spans }: RecordSource): (event: JsonObject) => EventSpan | undefined {
  const reader = spans?.();
  return (event) => (reader ? reader.span(event) : span?.(event));
}

/** Whether filters ask for what only the span of a record says. */
export const needsSpans = ({ failed, own = [] }: Filters): boolean =>
  failed === true || own.some(({ name }) => name === 'tool');

/** Whether something failed or was refused. */
export const hasFailed = (span: EventSpan | undefined): boolean =>
  span?.status === 'error' || span?.status === 'veto';

/** The tools of a call and of its results. */
const toolsOf = ({ tools, operation }: EventSpan): readonly string[] | undefined =>
  tools ?? (operation?.kind === 'tool' ? [operation.tool] : undefined);

/** The filters by words that leave anything out. The one list of them: tests and explanations are made from it. */
export function wordFilters(
  { phases, types, agents, own = [] }: Filters,
  source: RecordSource,
): readonly WordFilter[] {
  const { phase, kind, type, presentType, agent } = source.view;
  const phaseWords = [phase, kind].filter((words) => words !== undefined);
  const filters: readonly WordFilter[] = [
    { name: 'phase', wanted: phases, isGlob: false, words: phaseWords.length > 0 ? phaseWords : undefined },
    { name: 'type', wanted: types, isGlob: true, words: presentType ? [type, presentType] : [type] },
    { name: 'agent', wanted: agents, isGlob: true, words: [agent] },
    ...own.map((filter) => ownFilter(filter, source)),
  ];
  return filters.filter(({ wanted }) => wanted.length > 0);
}

function ownFilter(
  { name, values }: { readonly name: string; readonly values: readonly string[] },
  source: RecordSource,
): WordFilter {
  const filter = filterNamed(source, name);
  const ofSpan: WordReader[] = name === 'tool' ? [(_, span) => span && toolsOf(span)] : [];
  return { name, wanted: values, isGlob: false, words: filter && [filter.value, ...ofSpan] };
}

type Test = (record: LogRecord, span?: EventSpan) => boolean;

/** Throws `usage` where the dialect has no such filter. */
function wordTest({ name, wanted, isGlob, words }: WordFilter, source: RecordSource): Test {
  if (words === undefined)
    throw new UsageError('usage', `a log of this dialect (${source.name}) has no --${name}`, {
      hint: 'leave it out, or name the dialect with --dialect',
    });
  const exact = new Set(wanted);
  const isWanted = isGlob
    ? (word: string) => wanted.some((glob) => matchesGlob(word, glob))
    : (word: string) => exact.has(word);
  return (record, span) => words.some((read) => [read(record, span) ?? []].flat().some(isWanted));
}

/** Whether a record is of the runs that the filters pick; of a log without runs each is. */
export function compileRunFilter({ own = [] }: Pick<Filters, 'own'>, source: RecordSource): Test {
  const wanted = own.find(({ name }) => name === 'run');
  return wanted === undefined ? () => true : wordTest(ownFilter(wanted, source), source);
}

/**
 * Makes one test of the filters, for the records of a log in their order. A record without a time fits no `since` or
 * `until`. Throws `usage` for a filter that the dialect does not have.
 */
export function compileFilters(filters: Filters, source: RecordSource): (record: LogRecord) => boolean {
  const { since, until, search, failed } = filters;
  const { view } = source;
  const tests = wordFilters(filters, source).map((filter) => wordTest(filter, source));
  if (since !== undefined || until !== undefined) {
    tests.push((record) => {
      const time = parseInstant(view.time(record) ?? '');
      return (
        time !== undefined && (since === undefined || time >= since) && (until === undefined || time <= until)
      );
    });
  }
  if (search !== undefined) tests.push((record) => search.isIn(record));
  if (failed) tests.push((_, span) => hasFailed(span));
  if (!needsSpans(filters)) return (record) => tests.every((test) => test(record));
  const spanOf = spanReader(source);
  return (record) => {
    const span = spanOf(record.value);
    return tests.every((test) => test(record, span));
  };
}
