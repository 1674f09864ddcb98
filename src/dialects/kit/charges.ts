import { decimalOf, unitsIn } from './decimals.ts';
import { inputTokens, NO_TOKENS, plusTokens, type Tokens, totalTokens } from './tokens.ts';

/** Tokens that have the same prices: of one model, one day, and requests of about the same size. */
export interface Charge {
  readonly model: string;
  /** In UTC, if known: `2026-10-05`. */
  readonly day?: string | undefined;
  /**
   * The greatest of {@link SIZES} that the input of each request exceeds, or 0. Undefined if the log only has the sum of
   * several requests.
   */
  readonly above?: number | undefined;
  readonly tokens: Tokens;
  readonly stored?: StoredCost | undefined;
}

/** What tokens cost according to the program that wrote the log. */
export interface StoredCost {
  /** An exact decimal number, in US dollars. */
  readonly amount: string;
  /** The dialect of the log. */
  readonly by: string;
}

function plusStored(a: StoredCost | undefined, b: StoredCost | undefined): StoredCost | undefined {
  return a && b && { by: a.by, amount: decimalOf(unitsIn(a.amount) + unitsIn(b.amount)) };
}

/** Tokens of requests of about the same size. */
export type Request = Omit<Charge, 'model' | 'day'>;

/** The sizes of input, in tokens, from which price lists have other prices for a whole request. */
export const SIZES: readonly number[] = [128_000, 199_999, 200_000, 271_999, 272_000, 512_000];

/** The size of a request, for a {@link Charge}. The sum of several requests is only known to be small. */
export function sizeOf(tokens: Tokens, isOneRequest: boolean): number | undefined {
  const above = SIZES.findLast((size) => inputTokens(tokens) > size) ?? 0;
  return isOneRequest || above === 0 ? above : undefined;
}

/** The kinds of tokens that have prices, except those that only some records tell apart. */
const kindsOf = ({ input, cached, cache_write, output }: Tokens): string =>
  [input, cached, cache_write, output].join(' ');

/** The requests of an answer that consists of these parts, each with its own size; one request if these are not all of it. */
export function requestsOf(tokens: Tokens, parts: readonly Tokens[]): Request[] {
  const sum = parts.reduce(plusTokens, NO_TOKENS);
  if (kindsOf(sum) !== kindsOf(tokens)) return [{ above: sizeOf(tokens, true), tokens }];
  const sizes = parts.map((part) => sizeOf(part, true));
  if (new Set(sizes).size === 1) return [{ above: sizes[0], tokens }];
  // A part may not say how long a cache keeps what it wrote.
  if (sum.cache_write_1h !== tokens.cache_write_1h) return [{ above: undefined, tokens }];
  return parts.map((part, index) => ({ above: sizes[index], tokens: part }));
}

/** Adds up charges with the same prices. Those without tokens are left out. */
export function addCharges(charges: Iterable<Charge>): Charge[] {
  const sums = new Map<string, Charge>();
  for (const charge of charges) {
    const { model, day, above, tokens, stored } = charge;
    if (totalTokens(tokens) === 0) continue;
    // A sum has a stored cost if each of its parts has one.
    const key = `${day} ${above} ${stored?.by} ${model}`;
    const sum = sums.get(key);
    sums.set(
      key,
      sum === undefined
        ? charge
        : { ...sum, tokens: plusTokens(sum.tokens, tokens), stored: plusStored(sum.stored, stored) },
    );
  }
  return [...sums.values()];
}

/** The models of charges. */
export const modelsOf = (charges: readonly Charge[] = []): Set<string> =>
  new Set(charges.map(({ model }) => model));
