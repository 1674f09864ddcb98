import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { countText } from '../../base/text/count.ts';
import { DAY_MS, parseInstant } from '../../base/time/instant.ts';
import { numberIn } from './members.ts';

/**
 * Token counts under common names. `input`, `cached` and `cache_write` do not overlap; their sum is the input
 * of the model. `output` includes `reasoning`.
 */
export interface Tokens {
  /** Input that was neither read from a cache nor written to one. */
  readonly input: number;
  /** Read from a cache. */
  readonly cached: number;
  /** Written to a cache. */
  readonly cache_write: number;
  /** The part of it that the cache keeps for an hour, which costs more; absent if there is none. */
  readonly cache_write_1h?: number;
  /** The whole output, including reasoning. */
  readonly output: number;
  /** The reasoning part of the output; 0 if the program does not count it. */
  readonly reasoning: number;
}

/** The day of a time in UTC, if it has one. */
export function dayOf(time: string | undefined): string | undefined {
  const instant = parseInstant(time ?? '');
  if (instant === undefined) return undefined;
  const day = Math.floor(instant / DAY_MS);
  if (day !== lastDay) [lastDay, lastText] = [day, new Date(instant).toISOString().slice(0, 10)];
  return lastText;
}

/** The last result, because formatting a time takes much longer than parsing it. */
let lastDay = Number.NaN;
let lastText = '';

export const NO_TOKENS: Tokens = { input: 0, cached: 0, cache_write: 0, output: 0, reasoning: 0 };

/** Makes counts from a function of their kind. */
function mapTokens(count: (kind: keyof Tokens) => number): Tokens {
  const kept = count('cache_write_1h');
  return {
    input: count('input'),
    cached: count('cached'),
    cache_write: count('cache_write'),
    ...(kept > 0 && { cache_write_1h: kept }),
    output: count('output'),
    reasoning: count('reasoning'),
  };
}

/** The sum of two counts. */
export function plusTokens(a: Tokens, b: Tokens): Tokens {
  const kept = (a.cache_write_1h ?? 0) + (b.cache_write_1h ?? 0);
  return {
    input: a.input + b.input,
    cached: a.cached + b.cached,
    cache_write: a.cache_write + b.cache_write,
    ...(kept > 0 && { cache_write_1h: kept }),
    output: a.output + b.output,
    reasoning: a.reasoning + b.reasoning,
  };
}

/** The input of the model, cached or not. */
export const inputTokens = ({ input, cached, cache_write }: Tokens): number => input + cached + cache_write;

/** The total of input and output. Reasoning is part of the output. */
export const totalTokens = (tokens: Tokens): number => inputTokens(tokens) + tokens.output;

/** The part of a total that the sum of its parts lacks. A total may omit cached input. */
export function missingTokens(total: Tokens, sum: Tokens): Tokens {
  const more = mapTokens((kind) => Math.max(0, (total[kind] ?? 0) - (sum[kind] ?? 0)));
  return { ...more, input: Math.min(more.input, Math.max(0, inputTokens(total) - inputTokens(sum))) };
}

/** The names of a program for kinds of tokens, where they differ from those here. */
type TokenNames = Readonly<Partial<Record<keyof Tokens, string>>>;

/**
 * A count in a record. 0 if it is not a whole number from 0 to 2^53, because no program counts such tokens.
 */
export function countIn(usage: JsonValue | undefined, name: string): number {
  const count = numberIn(usage, name) ?? 0;
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}

/** The counts in a record under the program's names; 0 for those that are missing. */
export function tokensIn(usage: JsonObject, names: TokenNames): Tokens {
  return mapTokens((kind) => countIn(usage, names[kind] ?? kind));
}

/** Removes cached tokens from the input, for programs whose input includes them. */
export const withoutCache = (tokens: Tokens): Tokens => ({
  ...tokens,
  input: Math.max(0, tokens.input - tokens.cached - tokens.cache_write),
});

const NAMES: readonly (readonly [name: string, key: Exclude<keyof Tokens, 'cache_write_1h'>])[] = [
  ['input', 'input'],
  ['cached', 'cached'],
  ['cache write', 'cache_write'],
  ['output', 'output'],
  ['reasoning', 'reasoning'],
];

/** A remark about tokens that no turn has: the log only has totals, or some follow a damaged line. */
export function byTurnText(
  { tokens_by_turn, unsure_tokens }: { readonly tokens_by_turn?: false; readonly unsure_tokens?: number },
  where = '',
): string {
  if (tokens_by_turn === false) return ` (not stored by turn${where})`;
  return unsure_tokens === undefined ? '' : ` (${countText(unsure_tokens)} of them in an unknown turn)`;
}

/** Counts for people, without zeros: `input 4,450, cached 263,155, output 1,787`. Says which writes cost more. */
export function tokensText(tokens: Tokens): string {
  const counted = NAMES.filter(([, key]) => tokens[key] !== 0);
  const { cache_write_1h: kept } = tokens;
  const part = (key: keyof Tokens) =>
    key === 'cache_write' && kept !== undefined ? ` (${countText(kept)} for 1 h)` : '';
  return counted.map(([name, key]) => `${name} ${countText(tokens[key])}${part(key)}`).join(', ');
}

/** What a count of tokens lacks, so that it is a minimum. Zeros are left out. */
export interface Lacks {
  /** Requests whose tokens are not counted. */
  readonly requests?: number;
  /** Answers of which the log only has some tokens. */
  readonly answers?: number;
  /** Subagents whose logs are missing. */
  readonly subagents?: number;
  /** Further logs of the session before which records are missing, which may have had tokens and calls. */
  readonly logs?: number;
  /** Damaged lines, which may have had tokens and calls. */
  readonly lines?: number;
  /** Records that later ones name and that the log does not have, which may have had tokens and calls. */
  readonly records?: number;
}
