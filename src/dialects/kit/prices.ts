import { atLeast, atLeastCell } from '../../base/text/count.ts';
import { byText } from '../../base/text/order.ts';
import type { Charge } from './charges.ts';
import { decimalOf, unitsIn } from './decimals.ts';
import type { ModelPrices } from './prices-schema.ts';
import type { Tokens } from './tokens.ts';

/** The cost of tokens. */
export interface Cost {
  /** An exact decimal number; null if it is not known of any tokens. */
  readonly amount: string | null;
  readonly currency: string;
  readonly prices: PriceSources;
  /** Models with tokens but no price for them; they are not in the amount. */
  readonly unpriced?: readonly string[];
  /** The kinds of tokens without a price, for models with other prices. */
  readonly missing?: Readonly<Record<string, readonly string[]>>;
  /** Models that may have cost more than is in the amount, with the reason. */
  readonly at_least?: Readonly<Record<string, string>>;
  /** The log does not have all the tokens. */
  readonly isMinimum?: true;
}

/** Where the prices of a cost come from. */
export interface PriceSources {
  /** The name of the configuration. */
  readonly file?: string;
  /** The date of the built-in list. */
  readonly list?: string;
  /** The programs that stored what models cost for which there is no price. */
  readonly storedBy?: readonly string[];
}

/** The sources of two costs. */
export function plusSources(a: PriceSources, b: PriceSources): PriceSources {
  const programs = [...new Set([...(a.storedBy ?? []), ...(b.storedBy ?? [])])].sort(byText);
  return { ...a, ...b, ...(programs.length > 0 && { storedBy: programs }) };
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

/** How many tokens a price is for. */
const PRICED = 1_000_000n;

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
    else units += (BigInt(count) * unitsIn(one)) / PRICED;
  }
  return missing.length > 0 ? missing : units;
}

/** The currency of the costs that programs store. */
const STORED_CURRENCY = 'USD';

/**
 * The cost of tokens. Without a price, it is the cost that the program stored. A model without both for some of its
 * tokens is named, and none of its tokens count.
 */
export function costOf(charges: readonly Charge[], prices: Prices): Cost {
  const sums = new Map<string, { readonly units: bigint; readonly from: PriceSources }>();
  const unpriced = new Set<string>();
  const missing = new Map<string, Set<string>>();
  const atLeast = new Map<string, string>();
  for (const charge of charges) {
    const { model, tokens, stored } = charge;
    const found = prices.of(charge);
    const units = found && unitsOf(tokens, found.prices);
    const sum = sums.get(model) ?? { units: 0n, from: {} };
    if (found && typeof units === 'bigint') {
      sums.set(model, { units: sum.units + units, from: plusSources(sum.from, found.from) });
      if (found.atLeast !== undefined) atLeast.set(model, found.atLeast);
    } else if (stored !== undefined && prices.currency === STORED_CURRENCY) {
      const from = plusSources(sum.from, { storedBy: [stored.by] });
      sums.set(model, { units: sum.units + unitsIn(stored.amount), from });
    } else {
      unpriced.add(model);
      if (typeof units === 'object') missing.set(model, new Set([...(missing.get(model) ?? []), ...units]));
    }
  }
  const known = [...sums].filter(([model]) => !unpriced.has(model)).map(([, sum]) => sum);
  const sources = known.map(({ from }) => from).reduce(plusSources, {});
  return {
    amount:
      known.length > 0 || unpriced.size === 0
        ? decimalOf(known.reduce((all, { units }) => all + units, 0n))
        : null,
    currency: prices.currency,
    prices: sources,
    ...(unpriced.size > 0 && { unpriced: [...unpriced] }),
    ...(missing.size > 0 && {
      missing: Object.fromEntries([...missing].map(([model, kinds]) => [model, [...kinds]])),
    }),
    ...(atLeast.size > 0 && { at_least: Object.fromEntries(atLeast) }),
  };
}

/** Orders costs by their amount; without any, last of all if the order is reversed. */
export function compareCosts(a: Cost | undefined, b: Cost | undefined): number {
  const units = (cost: Cost | undefined): bigint => (cost?.amount == null ? -1n : unitsIn(cost.amount));
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

/** Why nothing is known of a cost: `mock-1 has no price`. */
function whyUnknown({ unpriced = [], missing = {} }: Cost): string {
  const without = unpriced.map((model) => {
    const kinds = missing[model];
    return `${model} has no price${kinds === undefined ? '' : ` for ${kinds.join(', ')}`}`;
  });
  return without.join(', ');
}

/** A cost for a person: `12.35 USD (prices of 2026-10-01)`, and which models are not included. */
export function costText(cost: Cost): string {
  const { unpriced = [], missing = {}, at_least: least = {} } = cost;
  const kinds = new Map(Object.entries(missing));
  const without = unpriced
    .map((model) => `${model} (no price${kinds.has(model) ? ` for ${kinds.get(model)?.join(', ')}` : ''})`)
    .join(', ');
  if (cost.amount === null) return `unknown, because ${whyUnknown(cost)} (see noesis help prices)`;
  const reasons = Object.entries(least).map(([model, reason]) => `${model}: ${reason}`);
  const isMinimum = reasons.length > 0 || cost.isMinimum === true;
  const amount = `${atLeast(isMinimum, amountText(cost.amount, cost.currency))} (${sourcesText(cost.prices)})`;
  return [`${amount}${without === '' ? '' : `, without ${without}`}`, ...reasons].join('; ');
}

/** A cost in a table where it is alone: with the date of its prices, and without the names of models. */
export const costInTable = (cost: Cost): string =>
  cost.amount === null ? costCell(cost) : `${costCell(cost)} (${sourcesText(cost.prices)})`;

/** The cost of a step in a line of text: empty if no price is known, which the total says. */
export const stepCost = (cost: Cost | undefined): string =>
  cost === undefined || cost.amount === null ? '' : costCell(cost);

/** `prices of 2026-10-01`, also of noesis.toml; `as pi wrote it` for costs that programs stored. */
export function sourcesText({ file, list, storedBy: programs = [] }: PriceSources): string {
  const lists = [file, list].filter((source) => source !== undefined);
  return [
    ...(lists.length > 0 ? [`prices of ${lists.join(' and ')}`] : []),
    ...(programs.length > 0 ? [`as ${programs.join(' and ')} wrote it`] : []),
  ].join('; ');
}

/** A cost in a table: the amount, `≥ 0.03 USD` if some of it is unknown, `no price` if all of it is. */
export function costCell(cost: Cost): string {
  if (cost.amount === null) return 'no price';
  const amount = amountText(cost.amount, cost.currency);
  const isMinimum = cost.unpriced !== undefined || cost.at_least !== undefined || cost.isMinimum === true;
  return atLeastCell(isMinimum, amount);
}

function amountText(amount: string, currency: string): string {
  const [whole = '0', fraction = ''] = amount.split('.');
  const leading = fraction.search(/[1-9]/);
  const digits = whole === '0' && leading >= 0 ? Math.max(2, leading + 2) : 2;
  const kept = BigInt(whole + fraction.padEnd(digits + 1, '0').slice(0, digits + 1));
  const rounded = String((kept + 5n) / 10n).padStart(digits + 1, '0');
  return `${rounded.slice(0, -digits)}.${rounded.slice(-digits)} ${currency}`;
}
