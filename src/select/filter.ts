import type { RecordView } from '../dialects/dialect.ts';
import type { LogRecord } from '../log/record.ts';
import { matchesGlob } from '../text/glob.ts';
import { parseInstant } from '../time/instant.ts';

/** Which records are wanted. Different filters combine with AND, the values of one with OR; an empty one lets all pass. */
export interface Filters {
  readonly phases: readonly string[];
  /** Globs: `*` stands for any characters, dots included. */
  readonly types: readonly string[];
  readonly agents: readonly string[];
  /** Milliseconds since 1970, inclusive. */
  readonly since?: number;
  readonly until?: number;
}

type Test = (record: LogRecord) => boolean;

function anyGlob(globs: readonly string[], read: (record: LogRecord) => string | undefined): Test {
  return (record) => {
    const text = read(record);
    return text !== undefined && globs.some((glob) => matchesGlob(text, glob));
  };
}

/** Makes one test of the filters. A record without a time fits no `since` or `until`. */
export function compileFilters({ phases, types, agents, since, until }: Filters, view: RecordView): Test {
  const tests: Test[] = [];
  if (phases.length > 0) {
    const wanted = new Set(phases);
    tests.push((record) => wanted.has(view.phase(record) ?? ''));
  }
  if (types.length > 0) tests.push(anyGlob(types, view.type));
  if (agents.length > 0) tests.push(anyGlob(agents, view.agent));
  if (since !== undefined || until !== undefined) {
    tests.push((record) => {
      const time = parseInstant(view.time(record) ?? '');
      return (
        time !== undefined && (since === undefined || time >= since) && (until === undefined || time <= until)
      );
    });
  }
  return (record) => tests.every((test) => test(record));
}
