import { tokensWithCacheInInput } from '../tokens.ts';

/** What a total says of tokens. */
export const COUNTS = [
  'input_tokens',
  'cached_input_tokens',
  'cache_write_input_tokens',
  'output_tokens',
  'reasoning_output_tokens',
  'total_tokens',
] as const;

/** Counts under the names of the program. */
type TokenCounts = Readonly<Record<string, number>>;

/** Those counts under the names that all formats share: the input counts what was cached too (codex.md §7). */
export const shared = (counts: TokenCounts) =>
  tokensWithCacheInInput({
    input: counts['input_tokens'],
    cached: counts['cached_input_tokens'],
    cache_write: counts['cache_write_input_tokens'],
    output: counts['output_tokens'],
    reasoning: counts['reasoning_output_tokens'],
  });

const totalOf = (tokens: TokenCounts): number => tokens['total_tokens'] ?? 0;

/** Tells apart what was used by which model, from totals that only grow (codex.md §7). */
export class Usage {
  readonly byModel = new Map<string, { tokens: Record<string, number>; answers: number }>();
  /** What another thread had counted already. */
  inherited: TokenCounts | undefined;
  #total: TokenCounts = {};

  /** What was copied from another thread is not of this one. */
  startFrom(): void {
    this.byModel.clear();
  }

  /** What the totals have grown by; undefined if they were only repeated. */
  add(model: string, total: TokenCounts, last: TokenCounts): TokenCounts | undefined {
    const isFirst = this.inherited === undefined;
    this.inherited ??= difference(total, last);
    const grown = difference(total, this.#total);
    this.#total = total;
    if (totalOf(grown) <= 0 && !isFirst) return undefined;
    const sum = this.byModel.get(model) ?? { tokens: {}, answers: 0 };
    this.byModel.set(model, sum);
    sum.answers += 1;
    for (const [name, count] of Object.entries(grown)) sum.tokens[name] = (sum.tokens[name] ?? 0) + count;
    return isFirst ? last : grown;
  }
}

function difference(counts: TokenCounts, less: TokenCounts): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, count - (less[name] ?? 0)]));
}
