import { sizeOf } from '../../kit/charges.ts';
import { type Tokens, tokensIn, withoutCache } from '../../kit/tokens.ts';

/** The token counts of a total. */
export const COUNTS = [
  'input_tokens',
  'cached_input_tokens',
  'cache_write_input_tokens',
  'output_tokens',
  'reasoning_output_tokens',
  'total_tokens',
] as const;

/** Counts under the names that the program uses. */
export type TokenCounts = Readonly<Record<string, number>>;

/** Counts under common names. In the program's counts, input includes cached tokens (codex.md §7). */
export const shared = (counts: TokenCounts): Tokens =>
  withoutCache(
    tokensIn(counts, {
      input: 'input_tokens',
      cached: 'cached_input_tokens',
      cache_write: 'cache_write_input_tokens',
      output: 'output_tokens',
      reasoning: 'reasoning_output_tokens',
    }),
  );

/** A total, and the tokens of the last request. */
export interface Counted {
  readonly total: TokenCounts;
  readonly last: TokenCounts;
}

/** Which model and day the growth of a total belongs to. */
interface UsageOf {
  readonly model: string;
  readonly day: string | undefined;
}

/** A total that is not what the requests before it and its last one add up to: it is wrong, or a request is missing. */
interface Doubtful {
  readonly of: UsageOf;
  readonly grown: TokenCounts;
  readonly last: TokenCounts;
  /** What the requests before it add up to. */
  readonly known: TokenCounts;
  /** Whether it has the last request of the total before. */
  readonly isAgain: boolean;
}

/** What a total says. */
export interface Growth {
  /** Absent if the total was only repeated. */
  readonly grown?: TokenCounts;
  /** The tokens that were used until the total before, since the one before that, if this total shows that it was wrong. */
  readonly before?: TokenCounts;
}

/** Assigns the growth of a total to models and days (codex.md §7). */
export class Usage {
  /** By model, by day if it is known, and by the size of the requests. */
  readonly sums = new Map<string, UsageSum>();
  /** Undefined if the next total goes on from one that is not in the log. */
  #total: TokenCounts | undefined = {};
  /** The total and the sum before the program may have begun to count from nothing. */
  #past: { readonly total: TokenCounts; readonly sum: TokenCounts | undefined } | undefined;
  /** The last total of a `token_count` event; undefined before the first one. */
  #counter: TokenCounts | undefined;
  /** What all requests so far add up to, also if the total was wrong once; undefined if the start is not known. */
  #sum: TokenCounts | undefined = {};
  /** The last total, until the next one shows whether it is wrong. */
  #doubtful: Doubtful | undefined;
  /** The last request of the last total. */
  #last: TokenCounts | undefined;
  /** Whether there are usage records, and whether the last one awaits the event that says the same. */
  #records: 'none' | 'paired' | 'awaits its event' = 'none';

  /** The totals go on from those of another log, which counts them. */
  goesOn(): void {
    this.#total = undefined;
    this.#sum = undefined;
  }

  get hasTotal(): boolean {
    return this.#total !== undefined;
  }

  /** Takes a total whose tokens are counted elsewhere. */
  baseline({ total }: Counted): void {
    this.#total = total;
    this.#counter = total;
    this.#sum = total;
    this.#doubtful = undefined;
  }

  /**
   * A program probably began to count from nothing, as old versions do when they continue a session (codex.md §7). The next total
   * shows whether it did.
   */
  startsAgain(): void {
    if (this.#records !== 'none') return;
    this.#past ??= this.#total && { total: this.#total, sum: this.#sum };
    this.#total = {};
    this.#counter = {};
    this.#sum = {};
    this.#doubtful = undefined;
  }

  /** Goes on from the total before, if the program did not begin to count from nothing. */
  #settle(counted: Counted): void {
    const past = this.#past;
    this.#past = undefined;
    if (past === undefined || !goesOnFrom(past.total, counted)) return;
    this.#total = past.total;
    this.#counter = past.total;
    this.#sum = past.sum;
  }

  /** The events of requests from before do not come anymore: a killed program does not write them. */
  turnBegins(): void {
    if (this.#records !== 'none') this.#records = 'paired';
  }

  /** Adds the total of a usage record. */
  record(of: UsageOf, counted: Counted): Growth {
    this.#records = 'awaits its event';
    this.#settle(counted);
    const growth = this.#grow(of, counted, this.#total);
    this.#total = counted.total;
    return growth;
  }

  /**
   * Whether a `token_count` event only says again what a usage record said. A program that writes usage records writes one
   * before each event, unless the record was lost.
   */
  saysAgain({ total }: Counted): boolean {
    if (this.#records === 'none') return false;
    const isAgain = this.#records === 'awaits its event' || isSame(total, this.#counter);
    if (isAgain) this.#counter = total;
    this.#records = 'paired';
    return isAgain;
  }

  /** Adds the total of a `token_count` event. */
  event(of: UsageOf, counted: Counted): Growth {
    this.#settle(counted);
    const hasRecords = this.#records !== 'none';
    const growth = this.#grow(of, counted, hasRecords ? (this.#counter ?? this.#total) : this.#total);
    this.#counter = counted.total;
    // If a program was killed, the totals of its events are below those of its records from then on.
    const { grown, before } = growth;
    this.#total = hasRecords && this.#total && grown && !before ? sum(this.#total, grown) : counted.total;
    return growth;
  }

  #grow(of: UsageOf, counted: Counted, before: TokenCounts | undefined): Growth {
    const { total, last } = counted;
    const rest = has(last) ? difference(total, last) : undefined;
    const { isAgain, ...corrected } =
      rest && !isSame(rest, before) ? this.#corrected(total, rest) : { isAgain: false };
    // The total before was wrong, and is written again as it should be.
    if (isAgain) return corrected;
    const isNext = rest !== undefined && isSame(rest, this.#sum);
    const grown = isNext ? last : growth(before, counted);
    if (before !== undefined && Object.values(grown).every((count) => count === 0)) return corrected;
    const known = this.#sum ?? difference(total, grown);
    this.#doubtful =
      isNext || rest === undefined
        ? undefined
        : { of, grown, last, known, isAgain: isSame(last, this.#last) };
    this.#last = last;
    this.#sum = sum(known, grown);
    this.#add(of, grown, sizeOf(shared(grown), isSame(grown, last)), 1);
    return { grown, ...corrected };
  }

  /**
   * Corrects what was counted for the total before, if this one goes on from what the requests add up to instead. `rest`: the
   * total without its last request.
   */
  #corrected(total: TokenCounts, rest: TokenCounts): Pick<Growth, 'before'> & { readonly isAgain: boolean } {
    if (isSame(total, this.#sum)) return { isAgain: true };
    const doubtful = isSame(rest, this.#sum) ? undefined : this.#doubtful;
    if (doubtful === undefined) return { isAgain: false };
    const { of, grown, last, known, isAgain } = doubtful;
    const fits = (sums: TokenCounts) => isSame(rest, sums) || isSame(total, sums);
    const before = fits(sum(known, last)) ? last : isAgain && fits(known) ? {} : undefined;
    if (before === undefined) return { isAgain: false };
    this.#doubtful = undefined;
    this.#sum = sum(known, before);
    this.#add(of, difference({}, grown), sizeOf(shared(grown), isSame(grown, last)), -1);
    if (has(before)) this.#add(of, before, sizeOf(shared(before), true), 1);
    return { before, isAgain: isSame(total, this.#sum) };
  }

  #add({ model, day }: UsageOf, tokens: TokenCounts, above: number | undefined, answers: 1 | -1): void {
    const key = [model, day, above === 0 ? undefined : above].filter((part) => part !== undefined).join(' ');
    const used = this.sums.get(key) ?? { model, day, above, tokens: {}, answers: 0 };
    this.sums.set(key, used);
    used.answers += answers;
    for (const [name, count] of Object.entries(tokens)) used.tokens[name] = (used.tokens[name] ?? 0) + count;
  }
}

interface UsageSum extends UsageOf {
  /** The size of its requests, see `Charge`. */
  readonly above: number | undefined;
  readonly tokens: Record<string, number>;
  answers: number;
}

const has = (counts: TokenCounts): boolean => Object.keys(counts).length > 0;

/** Whether some count is smaller than before. */
const isBelow = (counts: TokenCounts, before: TokenCounts): boolean =>
  Object.entries(before).some(([name, count]) => (counts[name] ?? 0) < count);

/**
 * What a total adds to the one before it. A program that continues a session may begin its total again, or at an earlier
 * one. The total without the last request then is below the total before, and only the last request is new.
 */
function growth(before: TokenCounts | undefined, { total, last }: Counted): TokenCounts {
  const isNew = before === undefined || isBelow(has(last) ? difference(total, last) : total, before);
  if (!isNew || isSame(total, before)) return difference(total, before ?? {});
  return has(last) ? last : total;
}

/** Whether a total contains an earlier one: without its last request, it is that one or larger. */
const goesOnFrom = (past: TokenCounts, { total, last }: Counted): boolean =>
  has(past) &&
  has(last) &&
  !isSame(total, last) &&
  (isSame(total, past) || !isBelow(difference(total, last), past));

const isSame = (total: TokenCounts, before: TokenCounts | undefined): boolean =>
  before !== undefined && !isBelow(total, before) && !isBelow(before, total);

const sum = (counts: TokenCounts, more: TokenCounts): Record<string, number> =>
  Object.fromEntries(
    Object.keys({ ...counts, ...more }).map((name) => [name, (counts[name] ?? 0) + (more[name] ?? 0)]),
  );

const difference = (counts: TokenCounts, less: TokenCounts): Record<string, number> =>
  sum(counts, Object.fromEntries(Object.entries(less).map(([name, count]) => [name, -count])));
