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
type TokenCounts = Readonly<Record<string, number>>;

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

/** Assigns the growth of a total to models and days (codex.md §7). */
export class Usage {
  /** By model, by day if it is known, and by the size of the requests. */
  readonly sums = new Map<string, UsageSum>();
  /** Undefined if the next total goes on from one that is not in the log. */
  #total: TokenCounts | undefined = {};

  /** The totals go on from those of another log, which counts them. */
  goesOn(): void {
    this.#total = undefined;
  }

  get hasTotal(): boolean {
    return this.#total !== undefined;
  }

  /** Takes a total whose tokens are counted elsewhere. */
  baseline({ total }: Counted): void {
    this.#total = total;
  }

  /** Returns the growth of the total; undefined if it was only repeated. */
  add({ model, day }: UsageOf, counted: Counted): TokenCounts | undefined {
    const before = this.#total;
    this.#total = counted.total;
    const grown = growth(before, counted);
    if (before !== undefined && Object.values(grown).every((count) => count === 0)) return undefined;
    const above = sizeOf(shared(grown), isSame(grown, counted.last));
    const key = [model, day, above === 0 ? undefined : above].filter((part) => part !== undefined).join(' ');
    const sum = this.sums.get(key) ?? { model, day, above, tokens: {}, answers: 0 };
    this.sums.set(key, sum);
    sum.answers += 1;
    for (const [name, count] of Object.entries(grown)) sum.tokens[name] = (sum.tokens[name] ?? 0) + count;
    return grown;
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

const isSame = (total: TokenCounts, before: TokenCounts | undefined): boolean =>
  before !== undefined && !isBelow(total, before) && !isBelow(before, total);

function difference(counts: TokenCounts, less: TokenCounts): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, count - (less[name] ?? 0)]));
}
