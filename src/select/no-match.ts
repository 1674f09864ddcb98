import type { RecordSource } from '../dialects/dialect.ts';
import { filterNamed } from '../dialects/record-filters.ts';
import { readLog } from '../log/read.ts';
import type { LogRecord } from '../log/record.ts';
import { matchesGlob } from '../text/glob.ts';
import { nearest } from '../text/nearest.ts';
import { parseInstant } from '../time/instant.ts';
import type { Filters } from './filter.ts';

/** More different words than this are no help. */
const MOST_WORDS = 1000;
/** So few are all named. */
const FEW_WORDS = 8;

/** A filter: what it is called, which words it wants, and those that a record has. */
interface Wanted {
  readonly name: string;
  readonly words: readonly string[];
  readonly of: (record: LogRecord) => readonly (string | undefined)[];
  readonly held: Set<string>;
}

function wantedOf({ phases, types, agents, own = [] }: Filters, source: RecordSource): Wanted[] {
  const { view } = source;
  const wanted = (name: string, words: readonly string[], of: Wanted['of']): Wanted[] =>
    words.length === 0 ? [] : [{ name, words, of, held: new Set() }];
  return [
    ...wanted('phase', phases, (record) => [view.phase?.(record)]),
    ...wanted('type', types, (record) => [view.type(record), view.presentType?.(record)]),
    ...wanted('agent', agents, (record) => [view.agent(record)]),
    ...own.flatMap(({ name, values }) =>
      wanted(name, values, (record) => [filterNamed(source, name)?.value(record)]),
    ),
  ];
}

/** What to do about a word that is not among those that there are: the nearest, or all where they are few. */
export function insteadOf(word: string, held: readonly string[]): string {
  const near = nearest(held, word.replaceAll('*', ''));
  if (near.length > 0) return `; did you mean ${near.join(', ')}?`;
  return held.length > 0 && held.length <= FEW_WORDS ? `; there is ${held.toSorted().join(', ')}` : '';
}

function missing({ name, words, held }: Wanted): string[] {
  const there = [...held];
  return words
    .filter((word) => !there.some((one) => matchesGlob(one, word)))
    .map((word) => `no event of ${name} ${word}${insteadOf(word, there)}`);
}

/** Why filters let no event of a log pass, in a sentence or a few. Reads the log again. Trace text: not yet escaped. */
export async function whyNothing(log: string, filters: Filters, source: RecordSource): Promise<string[]> {
  const { search } = filters;
  const wanted = wantedOf(filters, source);
  let records = 0;
  let isFound = false;
  const times: string[] = [];
  await readLog(log, {
    record(record) {
      records += 1;
      isFound ||= search?.isIn(record) === true;
      for (const { of, held } of wanted)
        for (const word of of(record)) if (word !== undefined && held.size < MOST_WORDS) held.add(word);
      const time = source.view.time(record);
      if (time !== undefined) times[times.length === 0 ? 0 : 1] = time;
    },
    corrupt() {},
  });
  if (records === 0) return ['the log holds no event'];
  const unfound = search && !isFound ? [`no event holds ${search.wanted}`] : [];
  const reasons = [...wanted.flatMap(missing), ...unfound, ...timeReasons(filters, times)];
  return reasons.length > 0 ? reasons : ['no event passes all filters at once'];
}

function timeReasons({ since, until }: Filters, [first, last = first]: readonly string[]): string[] {
  const [from, to] = [parseInstant(first ?? ''), parseInstant(last ?? '')];
  if (from === undefined || to === undefined) return [];
  const outside = (since !== undefined && since > to) || (until !== undefined && until < from);
  return outside ? [`no event at that time: the log goes from ${first} to ${last}`] : [];
}
