import { tokensWithCacheInInput } from '../tokens.ts';

/** The token counts of a total. */
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

/** The counts under common names. The program's input includes cached tokens (codex.md §7). */
export const shared = (counts: TokenCounts) =>
  tokensWithCacheInInput({
    input: counts['input_tokens'],
    cached: counts['cached_input_tokens'],
    cache_write: counts['cache_write_input_tokens'],
    output: counts['output_tokens'],
    reasoning: counts['reasoning_output_tokens'],
  });

const totalOf = (tokens: TokenCounts): number => tokens['total_tokens'] ?? 0;

/** Splits growing totals by model (codex.md §7). */
export class Usage {
  readonly byModel = new Map<string, { tokens: Record<string, number>; answers: number }>();
  /** The totals that another thread had counted. */
  inherited: TokenCounts | undefined;
  #total: TokenCounts = {};

  /** Copied counts belong to the other thread. */
  startFrom(): void {
    this.byModel.clear();
  }

  /** The growth of the totals; undefined if they were only repeated. */
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
