import type { RecordSource } from '../dialects/dialect.ts';
import { readLog } from '../log/read.ts';
import { matchesGlob } from '../text/glob.ts';
import { nearest } from '../text/nearest.ts';
import { parseInstant } from '../time/instant.ts';
import { type Filters, hasFailed, spanReader, type WordFilter, wordFilters } from './filter.ts';
import { lostCalls } from './lost-calls.ts';

/** A longer list of words does not help anyone. */
const MOST_WORDS = 1000;
/** Up to this number, all words are listed. */
const FEW_WORDS = 8;

/** Suggests words instead of an unknown one: the nearest, or all if there are few. */
export function insteadOf(word: string, held: readonly string[]): string {
  const near = nearest(held, word.replaceAll('*', ''));
  if (near.length > 0) return `; did you mean ${near.join(', ')}?`;
  return held.length > 0 && held.length <= FEW_WORDS ? `; found: ${held.toSorted().join(', ')}` : '';
}

function missing({ name, wanted, isGlob }: WordFilter, held: ReadonlySet<string>): string[] {
  const there = [...held];
  return wanted
    .filter((word) => !(isGlob ? there.some((one) => matchesGlob(one, word)) : held.has(word)))
    .map((word) => `no event of ${name} ${word}${insteadOf(word, there)}`);
}

/**
 * Explains in a few sentences why filters select no event of a log. Reads the log again. The result is trace
 * text and not escaped.
 */
export async function whyNothing(log: string, filters: Filters, source: RecordSource): Promise<string[]> {
  const { search, failed } = filters;
  const spanOf = spanReader(source);
  let hasFailure = (await lostCalls(log, filters, source)).size > 0;
  const wanted = wordFilters(filters, source).map((filter) => ({ filter, held: new Set<string>() }));
  let records = 0;
  let isFound = false;
  const times: string[] = [];
  await readLog(log, {
    record(record) {
      records += 1;
      isFound ||= search?.isIn(record) === true;
      const span = spanOf(record.value);
      hasFailure ||= hasFailed(span);
      for (const { filter, held } of wanted)
        for (const read of filter.words ?? []) {
          for (const word of [read(record, span) ?? []].flat()) if (held.size < MOST_WORDS) held.add(word);
        }
      const time = source.view.time(record);
      if (time !== undefined) times[times.length === 0 ? 0 : 1] = time;
    },
    corrupt() {},
  });
  if (records === 0) return ['the log has no event'];
  const unfound = search && !isFound ? [`no event contains ${search.wanted}`] : [];
  const reasons = [
    ...wanted.flatMap(({ filter, held }) => missing(filter, held)),
    ...unfound,
    ...(failed && !hasFailure ? ['no event failed'] : []),
    ...timeReasons(filters, times),
  ];
  return reasons.length > 0 ? reasons : ['no event passes all filters at once'];
}

function timeReasons({ since, until }: Filters, [first, last = first]: readonly string[]): string[] {
  const [from, to] = [parseInstant(first ?? ''), parseInstant(last ?? '')];
  if (from === undefined || to === undefined) return [];
  const outside = (since !== undefined && since > to) || (until !== undefined && until < from);
  return outside ? [`no event at that time: the log goes from ${first} to ${last}`] : [];
}
