import type { RecordSource } from '../dialects/dialect.ts';
import { filterNamed } from '../dialects/record-filters.ts';
import { type NoesisError, UsageError } from '../errors.ts';
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
  /** A text that the stored record holds. */
  readonly search?: TextSearch | undefined;
  /** Values of what only some dialects have, by the name of their filter. */
  readonly own?: readonly { readonly name: string; readonly values: readonly string[] }[];
}

/** Whether the filters leave anything out. */
export function hasAny({ own = [], since, until, search, phases, types, agents }: Filters): boolean {
  return (
    search !== undefined ||
    since !== undefined ||
    until !== undefined ||
    [own, phases, types, agents].some(({ length }) => length > 0)
  );
}

type Test = (record: LogRecord) => boolean;

function anyGlob(globs: readonly string[], ...reads: ((record: LogRecord) => string | undefined)[]): Test {
  return (record) =>
    reads.some((read) => {
      const text = read(record);
      return text !== undefined && globs.some((glob) => matchesGlob(text, glob));
    });
}

function noSuchOption(source: RecordSource, name: string): NoesisError {
  return new UsageError('usage', `a log of this dialect (${source.name}) has no --${name}`, {
    hint: 'leave it out, or name the dialect with --dialect',
  });
}

/** Throws `usage` where the dialect has no such filter. */
function ownFilter(source: RecordSource, name: string, values: readonly string[]): Test {
  const filter = filterNamed(source, name);
  if (filter === undefined) {
    throw noSuchOption(source, name);
  }
  const wanted = new Set(values);
  return (record) => wanted.has(filter.value(record) ?? '');
}

/** Whether a record is of the runs that the filters pick; of a log without runs each is. */
export function compileRunFilter({ own = [] }: Pick<Filters, 'own'>, source: RecordSource): Test {
  const wanted = own.find(({ name }) => name === 'run');
  return wanted === undefined ? () => true : ownFilter(source, wanted.name, wanted.values);
}

/**
 * Makes one test of the filters. A record without a time fits no `since` or `until`. Throws `usage` for a filter that
 * the dialect does not have.
 */
export function compileFilters(filters: Filters, source: RecordSource): Test {
  const { phases, types, agents, since, until, search, own = [] } = filters;
  const { view } = source;
  const tests: Test[] = own.map(({ name, values }) => ownFilter(source, name, values));
  if (phases.length > 0) {
    const { phase } = view;
    if (phase === undefined) throw noSuchOption(source, 'phase');
    const wanted = new Set(phases);
    tests.push((record) => wanted.has(phase(record) ?? ''));
  }
  if (types.length > 0) tests.push(anyGlob(types, view.type, view.presentType ?? (() => undefined)));
  if (agents.length > 0) tests.push(anyGlob(agents, view.agent));
  if (since !== undefined || until !== undefined) {
    tests.push((record) => {
      const time = parseInstant(view.time(record) ?? '');
      return (
        time !== undefined && (since === undefined || time >= since) && (until === undefined || time <= until)
      );
    });
  }
  if (search !== undefined) tests.push((record) => search.isIn(record));
  return (record) => tests.every((test) => test(record));
}
