import { matchesGlob } from '../../base/text/glob.ts';
import type { ModelPrices, Prices } from './prices-schema.ts';
import type { Tokens } from './tokens.ts';

/** The cost of tokens. */
export interface Cost {
  /** An exact decimal number. */
  readonly amount: string;
  readonly currency: string;
  /** Models with tokens but no price for them; they are not in the amount. */
  readonly unpriced?: readonly string[];
  /** The kinds of tokens without a price, for models with other prices. */
  readonly missing?: Readonly<Record<string, readonly string[]>>;
}

/** A price has at most 12 decimals and is for a million tokens. */
const DECIMALS = 18;

function scaled(price: string): bigint {
  const [whole = '0', fraction = ''] = price.split('.');
  return BigInt(whole + fraction.padEnd(DECIMALS - 6, '0'));
}

function decimal(value: bigint): string {
  const digits = String(value).padStart(DECIMALS + 1, '0');
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '');
  return `${digits.slice(0, -DECIMALS)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** The price of a model. An exact name wins over patterns, and the longest pattern over others. */
function priceOf({ models }: Prices, model: string): ModelPrices | undefined {
  if (Object.hasOwn(models, model)) return models[model];
  const fitting = Object.keys(models).filter((pattern) => matchesGlob(model, pattern));
  const [longest] = fitting.sort((a, b) => b.length - a.length);
  return longest === undefined ? undefined : models[longest];
}

/** The cost in units of 10^-18, or the kinds of tokens that lack a price. Reasoning is part of the output. */
function unitsOf(tokens: Tokens, price: ModelPrices): bigint | readonly string[] {
  const thought = price.reasoning === undefined ? 0 : Math.min(tokens.reasoning, tokens.output);
  const kept = tokens.cache_write_1h ?? 0;
  const parts: readonly (readonly [kind: string, count: number, price: string | undefined])[] = [
    ['input', tokens.input, price.input],
    ['cached', tokens.cached, price.cached],
    ['cache_write', tokens.cache_write - kept, price.cache_write],
    ['cache_write_1h', kept, price.cache_write_1h],
    ['output', tokens.output - thought, price.output],
    ['reasoning', thought, price.reasoning],
  ];
  let units = 0n;
  const missing: string[] = [];
  for (const [kind, count, one] of parts) {
    if (count === 0) continue;
    if (one === undefined) missing.push(kind);
    else units += BigInt(count) * scaled(one);
  }
  return missing.length > 0 ? missing : units;
}

/** The tokens per model, alone or as a member. */
type UsedModels = Readonly<Record<string, Tokens | { readonly tokens: Tokens }>>;

/** The cost of the tokens of models. */
export function costOf(models: UsedModels, prices: Prices): Cost {
  const unpriced: string[] = [];
  const missing = new Map<string, readonly string[]>();
  let sum = 0n;
  for (const [model, used] of Object.entries(models)) {
    const tokens = 'tokens' in used ? used.tokens : used;
    const price = priceOf(prices, model);
    const units = price && unitsOf(tokens, price);
    if (typeof units === 'bigint') sum += units;
    else if (tokens.input + tokens.cached + tokens.cache_write + tokens.output > 0) unpriced.push(model);
    if (typeof units === 'object') missing.set(model, units);
  }
  return {
    amount: decimal(sum),
    currency: prices.currency,
    ...(unpriced.length > 0 && { unpriced }),
    ...(missing.size > 0 && { missing: Object.fromEntries(missing) }),
  };
}

/** Orders costs by their amount; without any, last of all if the order is reversed. */
export function compareCosts(a: Cost | undefined, b: Cost | undefined): number {
  const units = (cost: Cost | undefined): bigint => {
    const [whole = '0', fraction = ''] = (cost?.amount ?? '-1').split('.');
    return BigInt(whole + fraction.padEnd(DECIMALS, '0'));
  };
  const more = units(a) - units(b);
  return more > 0n ? 1 : more < 0n ? -1 : 0;
}

/** Adds the cost of the models, if there are prices and models are known. */
export const withCost = <Of extends object>(
  of: Of,
  prices: Prices | undefined,
  models: UsedModels | undefined,
): Of & { readonly cost?: Cost } =>
  prices === undefined || models === undefined ? of : { ...of, cost: costOf(models, prices) };

/** A cost for a person: `12.35 USD`, `0.0042 USD`, and which models are not included. */
export function costText(cost: Cost): string {
  const { unpriced = [], missing = {} } = cost;
  const kinds = new Map(Object.entries(missing));
  const without = unpriced
    .map((model) => `${model} (no price${kinds.has(model) ? ` for ${kinds.get(model)?.join(', ')}` : ''})`)
    .join(', ');
  if (without === '') return amountText(cost);
  return cost.amount === '0' ? `unknown: ${without}` : `${amountText(cost)}, without ${without}`;
}

/** A cost in a table: the amount, `≥ 0.03 USD` if some models have no price, `no price` if none has one. */
export function costCell(cost: Cost): string {
  if (cost.unpriced === undefined) return amountText(cost);
  return cost.amount === '0' ? 'no price' : `≥ ${amountText(cost)}`;
}

function amountText({ amount, currency }: Cost): string {
  const [whole = '0', fraction = ''] = amount.split('.');
  const leading = fraction.search(/[1-9]/);
  const digits = whole === '0' && leading >= 0 ? Math.max(2, leading + 2) : 2;
  const kept = BigInt(whole + fraction.padEnd(digits + 1, '0').slice(0, digits + 1));
  const rounded = String((kept + 5n) / 10n).padStart(digits + 1, '0');
  return `${rounded.slice(0, -digits)}.${rounded.slice(-digits)} ${currency}`;
}
