import type { Charge } from './charges.ts';
import type { ModelPrices } from './prices-schema.ts';
import type { Tokens } from './tokens.ts';

/** The cost of tokens. */
export interface Cost {
  /** An exact decimal number. */
  readonly amount: string;
  readonly currency: string;
  readonly prices: PriceSources;
  /** Models with tokens but no price for them; they are not in the amount. */
  readonly unpriced?: readonly string[];
  /** The kinds of tokens without a price, for models with other prices. */
  readonly missing?: Readonly<Record<string, readonly string[]>>;
  /** Models that may have cost more than is in the amount, with the reason. */
  readonly at_least?: Readonly<Record<string, string>>;
}

/** Where the prices of a cost come from. */
export interface PriceSources {
  /** The name of the configuration. */
  readonly file?: string;
  /** The date of the built-in list. */
  readonly list?: string;
}

/** The prices of a model. */
export interface FoundPrices {
  readonly prices: ModelPrices;
  readonly from: PriceSources;
  /** Why the tokens may have cost more. */
  readonly atLeast?: string;
}

/** The prices of models. */
export interface Prices {
  readonly currency: string;
  readonly of: (charge: Charge) => FoundPrices | undefined;
}

/** Finds the prices of these models. */
export type FindPrices = (models: Iterable<string>) => Promise<Prices | undefined>;

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

/** The cost of tokens. A model without a price for some of its tokens is named, and none of its tokens count. */
export function costOf(charges: readonly Charge[], prices: Prices): Cost {
  const sums = new Map<string, bigint>();
  const unpriced = new Set<string>();
  const missing = new Map<string, Set<string>>();
  const atLeast = new Map<string, string>();
  let from: PriceSources = {};
  for (const charge of charges) {
    const { model, tokens } = charge;
    const found = prices.of(charge);
    const units = found && unitsOf(tokens, found.prices);
    if (typeof units === 'bigint') sums.set(model, (sums.get(model) ?? 0n) + units);
    else unpriced.add(model);
    if (typeof units === 'object') missing.set(model, new Set([...(missing.get(model) ?? []), ...units]));
    if (found) from = { ...from, ...found.from };
    if (found?.atLeast !== undefined) atLeast.set(model, found.atLeast);
  }
  let sum = 0n;
  for (const [model, units] of sums) if (!unpriced.has(model)) sum += units;
  return {
    amount: decimal(sum),
    currency: prices.currency,
    prices: from,
    ...(unpriced.size > 0 && { unpriced: [...unpriced] }),
    ...(missing.size > 0 && {
      missing: Object.fromEntries([...missing].map(([model, kinds]) => [model, [...kinds]])),
    }),
    ...(atLeast.size > 0 && { at_least: Object.fromEntries(atLeast) }),
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

/** What has a cost, or what it is computed from. */
export interface Charged {
  readonly charges?: readonly Charge[];
  readonly cost?: Cost;
}

/** Replaces charges by what they cost. Without prices or tokens, there is no cost. */
export function withCost<Of extends Charged>(
  { charges = [], cost: _, ...of }: Of,
  prices: Prices | undefined,
): Omit<Of, keyof Charged> & Pick<Charged, 'cost'> {
  return { ...of, ...(prices && charges.length > 0 && { cost: costOf(charges, prices) }) };
}

/** A cost for a person: `12.35 USD (prices of 2026-10-01)`, and which models are not included. */
export function costText(cost: Cost): string {
  const { unpriced = [], missing = {}, at_least: least = {} } = cost;
  const kinds = new Map(Object.entries(missing));
  const without = unpriced
    .map((model) => `${model} (no price${kinds.has(model) ? ` for ${kinds.get(model)?.join(', ')}` : ''})`)
    .join(', ');
  if (isUnknown(cost)) return `unknown: ${without}`;
  const reasons = Object.entries(least).map(([model, reason]) => `${model}: ${reason}`);
  const amount = `${reasons.length > 0 ? 'at least ' : ''}${amountText(cost)} (${sourcesText(cost.prices)})`;
  return [`${amount}${without === '' ? '' : `, without ${without}`}`, ...reasons].join('; ');
}

/** A cost in a table where it is alone: with the date of its prices, and without the names of models. */
export const costInTable = (cost: Cost): string =>
  isUnknown(cost) ? costCell(cost) : `${costCell(cost)} (${sourcesText(cost.prices)})`;

/** The cost of a step in a line of text: empty if no price is known, which the total says. */
export const stepCost = (cost: Cost | undefined): string =>
  cost === undefined || isUnknown(cost) ? '' : costCell(cost);

/** `prices of 2026-10-01`, also of noesis.toml. */
export const sourcesText = ({ file, list }: PriceSources): string =>
  `prices of ${[file, list].filter((source) => source !== undefined).join(' and ')}`;

/** A cost in a table: the amount, `≥ 0.03 USD` if some of it is unknown, `no price` if all of it is. */
export function costCell(cost: Cost): string {
  if (isUnknown(cost)) return 'no price';
  return cost.unpriced === undefined && cost.at_least === undefined
    ? amountText(cost)
    : `≥ ${amountText(cost)}`;
}

const isUnknown = ({ unpriced, amount }: Cost): boolean => unpriced !== undefined && amount === '0';

function amountText({ amount, currency }: Cost): string {
  const [whole = '0', fraction = ''] = amount.split('.');
  const leading = fraction.search(/[1-9]/);
  const digits = whole === '0' && leading >= 0 ? Math.max(2, leading + 2) : 2;
  const kept = BigInt(whole + fraction.padEnd(digits + 1, '0').slice(0, digits + 1));
  const rounded = String((kept + 5n) / 10n).padStart(digits + 1, '0');
  return `${rounded.slice(0, -digits)}.${rounded.slice(-digits)} ${currency}`;
}
