import { calcPrice, findProvider, type ModelInfo, type ModelPrice } from '@pydantic/genai-prices';
import type { Charge } from '../dialects/kit/charges.ts';
import { plainDecimal } from '../dialects/kit/decimals.ts';
import type { FoundPrices } from '../dialects/kit/prices.ts';

/** The version of the list, and the day on which it was published. A test compares the version with the installed one. */
export const PRICE_LIST = { version: '0.1.8', date: '2026-09-23' } as const;

/** No model has a longer name, but a log may. */
const LONGEST_NAME = 200;

/**
 * The model in the list. Some programs write `provider/model`: that is the model of this provider only, because others
 * have other prices.
 */
function modelNamed(name: string): ModelInfo | undefined {
  if (name.length > LONGEST_NAME) return undefined;
  const slash = name.indexOf('/');
  if (slash === -1) return calcPrice({}, name)?.model;
  const providerId = name.slice(0, slash);
  if (findProvider({ providerId }) === undefined) return undefined;
  return calcPrice({}, name.slice(slash + 1), { providerId })?.model;
}

/** The prices of a day, without those that only hold at some times of the day. */
function pricesOn({ prices }: ModelInfo, day: string): ModelPrice | undefined {
  if (!Array.isArray(prices)) return prices;
  return prices.findLast(
    ({ constraint }) =>
      constraint === undefined || (constraint.type === 'start_date' && constraint.start_date <= day),
  )?.prices;
}

const changesDaily = ({ prices }: ModelInfo): boolean =>
  Array.isArray(prices) && prices.some(({ constraint }) => constraint?.type === 'time_of_date');

/** What a request of this size costs. The price of a tier counts for the whole request. */
function priceAbove(price: ModelPrice[string], above: number): string | undefined {
  if (price === undefined) return undefined;
  if (typeof price === 'number') return plainDecimal(price);
  const tier = [...price.tiers].sort((a, b) => a.start - b.start).findLast(({ start }) => start <= above);
  return plainDecimal(tier?.price ?? price.base);
}

const hasTiers = (price: ModelPrice): boolean => Object.values(price).some((one) => typeof one === 'object');

/** The prices of a model for a charge. Without a day, those of the day on which the list was published. */
function pricesFor(info: ModelInfo, { day = PRICE_LIST.date, above }: Charge): FoundPrices | undefined {
  const found = pricesOn(info, day);
  if (found === undefined) return undefined;
  const of = (kind: string) => priceAbove(found[`${kind}_mtok`], above ?? 0);
  const [input, output] = [of('input'), of('output')];
  if (input === undefined || output === undefined) return undefined;
  // A provider without another price for a kind of tokens charges the price of the more general kind.
  const written = of('cache_write') ?? input;
  const reasoning = of('output_reasoning');
  const unknown = [
    above === undefined && hasTiers(found) ? 'the log does not say how large its requests were' : '',
    changesDaily(info) ? 'it costs more at some times of the day' : '',
  ].filter((reason) => reason !== '');
  return {
    prices: {
      input,
      cached: of('cache_read') ?? input,
      cache_write: written,
      cache_write_1h: of('cache_write_1h') ?? written,
      output,
      ...(reasoning !== undefined && { reasoning }),
    },
    from: { list: PRICE_LIST.date },
    ...(unknown.length > 0 && { atLeast: unknown.join(', and ') }),
  };
}

/** The built-in list, which answers for each model that it knows. */
export function priceList(): (charge: Charge) => FoundPrices | undefined {
  const models = new Map<string, ModelInfo | undefined>();
  return (charge) => {
    const { model } = charge;
    if (!models.has(model)) models.set(model, modelNamed(model));
    const info = models.get(model);
    return info && pricesFor(info, charge);
  };
}
