import { matchesGlob } from '../../base/text/glob.ts';
import { didYouMean, nearest } from '../../base/text/nearest.ts';
import { parseInstant } from '../../base/time/instant.ts';
import type { RecordSource } from '../../dialects/dialect.ts';
import { readLog } from '../../log/read.ts';
import type { LogRecord } from '../../log/record.ts';
import { type Filters, hasFailed, needsSpans, spanReader, type WordFilter, wordFilters } from './filter.ts';
import { lostCalls } from './lost-calls.ts';

export const NO_EVENT = 'the log has no event';

/** A longer list of words does not help anyone. */
const MOST_WORDS = 1000;
/** Up to this number, all words are listed. */
const FEW_WORDS = 20;

interface Moment {
  readonly at: number;
  readonly text: string;
}

/** Suggests words instead of an unknown one: the nearest, or all if there are few. */
export function insteadOf(word: string, held: readonly string[]): string {
  const question = didYouMean(nearest(held, word.replaceAll('*', '')));
  if (question !== undefined) return `; ${question}`;
  return held.length > 0 && held.length <= FEW_WORDS ? `; found: ${held.toSorted().join(', ')}` : '';
}

/** The remark that no run has a status, of those that runs have. Trace text, not escaped. */
export const noStatus = (status: string, held: readonly string[]): string =>
  /^(?:damaged?|corrupt|broken)$/i.test(status)
    ? `${status} is not a status, because it is about the log and not the run; noesis doctor --all lists damaged sessions first`
    : `no run has the status ${status}${insteadOf(status, held)}`;

/** The words that the events of logs have for a filter. */
interface HeldWords {
  readonly filter: WordFilter;
  readonly held: Set<string>;
  /** The types of the events, for a filter by phase, because a type is easily taken for a phase. */
  readonly types: Set<string>;
}

function missing({ filter: { name, wanted, isGlob }, held, types }: HeldWords): string[] {
  const there = [...held];
  return wanted
    .filter((word) => !(isGlob ? there.some((one) => matchesGlob(one, word)) : held.has(word)))
    .map((word) => {
      const instead = types.has(word) ? `: it is a type, so give --type ${word}` : insteadOf(word, there);
      return `no event of ${name} ${word}${instead}`;
    });
}

/** Collects what logs contain, to explain in a few sentences why filters select no event of them. */
export class NoMatch {
  readonly #filters: Filters;
  readonly #held = new Map<string, HeldWords>();
  #first: Moment | undefined;
  #last: Moment | undefined;
  #isEmpty = true;
  #isFound = false;
  #hasFailure = false;

  constructor(filters: Filters) {
    this.#filters = filters;
  }

  /** Takes the records of one log, in order. `lost` has the lines of its calls that get no result. */
  of(source: RecordSource, lost?: ReadonlySet<number>): { add(record: LogRecord): void } {
    const { search, since, until } = this.#filters;
    const spanOf = needsSpans(this.#filters) ? spanReader(source) : () => undefined;
    this.#hasFailure ||= lost !== undefined && lost.size > 0;
    const wanted = wordFilters(this.#filters, source).map(({ words = [], ...filter }) => {
      const { held, types } = this.#held.get(filter.name) ?? { held: new Set(), types: new Set() };
      this.#held.set(filter.name, { filter: { ...filter, words }, held, types });
      return { words, held, types: filter.name === 'phase' ? types : undefined };
    });
    return {
      add: (record) => {
        this.#isEmpty = false;
        this.#isFound ||= search?.isIn(record) === true;
        const span = spanOf(record.value, record.line);
        this.#hasFailure ||= hasFailed(span);
        for (const { words, held, types } of wanted) {
          for (const read of words) {
            for (const word of [read(record, span) ?? []].flat()) if (held.size < MOST_WORDS) held.add(word);
          }
          if (types === undefined || types.size >= MOST_WORDS) continue;
          for (const word of [source.view.type(record) ?? []].flat()) types.add(word);
        }
        if (since !== undefined || until !== undefined) this.#addTime(source.view.time(record) ?? '');
      },
    };
  }

  #addTime(text: string): void {
    const at = parseInstant(text);
    if (at === undefined) return;
    if (this.#first === undefined || at < this.#first.at) this.#first = { at, text };
    if (this.#last === undefined || at > this.#last.at) this.#last = { at, text };
  }

  /** Says which of several words no event has. The others may hide a typing error. Trace text, not escaped. */
  get missing(): string[] {
    // A log with very many words may have more than these.
    const lists = [...this.#held.values()].filter(({ held }) => held.size < MOST_WORDS);
    return lists.flatMap((words) => (words.filter.wanted.length > 1 ? missing(words) : []));
  }

  /** Says why no event was selected. Trace text, not escaped. */
  get reasons(): string[] {
    const { search, failed } = this.#filters;
    if (this.#isEmpty) return [NO_EVENT];
    const reasons = [
      ...[...this.#held.values()].flatMap(missing),
      ...(search && !this.#isFound ? [`no event contains ${search.wanted}`] : []),
      ...(failed && !this.#hasFailure ? ['no event failed'] : []),
      ...this.#timeReasons(),
    ];
    return reasons.length > 0 ? reasons : ['no event passes all filters at once'];
  }

  #timeReasons(): string[] {
    const { since, until } = this.#filters;
    const [first, last] = [this.#first, this.#last];
    if (first === undefined || last === undefined) return [];
    const outside = (since !== undefined && since > last.at) || (until !== undefined && until < first.at);
    return outside ? [`no event at that time: the log goes from ${first.text} to ${last.text}`] : [];
  }
}

/** Explains why filters select no event of a log, which it reads again: {@link NoMatch.reasons}. */
export async function whyNothing(log: string, filters: Filters, source: RecordSource): Promise<string[]> {
  const none = new NoMatch(filters);
  const seen = none.of(source, await lostCalls(log, filters, source));
  await readLog(log, source.form, { record: (record) => seen.add(record) });
  return none.reasons;
}
