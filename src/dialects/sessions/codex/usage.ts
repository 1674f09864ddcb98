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

const totalOf = (tokens: TokenCounts): number => tokens['total_tokens'] ?? 0;

/** Assigns the growth of a total to models and days (codex.md §7). */
export class Usage {
  /** By model, and by day if it is known. */
  readonly sums = new Map<string, UsageSum>();
  #total: TokenCounts | undefined;

  /** Drops the counts of records that were copied from another thread. */
  forgetCopied(): void {
    this.sums.clear();
  }

  /**
   * Returns the growth of the total; undefined if it was only repeated. The total of a fork starts with that of its
   * parent.
   */
  add(
    {
      model,
      day,
      isFork,
    }: { readonly model: string; readonly day: string | undefined; readonly isFork: boolean },
    total: TokenCounts,
    last: TokenCounts,
  ): TokenCounts | undefined {
    const before = this.#total ?? (isFork ? difference(total, last) : {});
    const isFirst = this.#total === undefined;
    const grown = difference(total, before);
    this.#total = total;
    if (totalOf(grown) <= 0 && !isFirst) return undefined;
    const key = day === undefined ? model : `${model} ${day}`;
    const sum = this.sums.get(key) ?? { model, day, tokens: {}, answers: 0 };
    this.sums.set(key, sum);
    sum.answers += 1;
    for (const [name, count] of Object.entries(grown)) sum.tokens[name] = (sum.tokens[name] ?? 0) + count;
    return grown;
  }
}

interface UsageSum {
  readonly model: string;
  readonly day: string | undefined;
  readonly tokens: Record<string, number>;
  answers: number;
}

function difference(counts: TokenCounts, less: TokenCounts): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, count - (less[name] ?? 0)]));
}
