import { matchesGlob } from '../base/text/glob.ts';
import type { FindPrices } from '../dialects/kit/prices.ts';
import type { ModelPrices, OwnPrices } from '../dialects/kit/prices-schema.ts';
import { configuredPrices } from './configuration.ts';
import type { ConfigurationSearch } from './configuration-file.ts';

/** The currency of the built-in list. */
const LIST_CURRENCY = 'USD';

/** The price of a model. An exact name wins over patterns, and the longest pattern over others. */
function priceIn({ models }: OwnPrices, model: string): ModelPrices | undefined {
  if (Object.hasOwn(models, model)) return models[model];
  const fitting = Object.keys(models).filter((pattern) => matchesGlob(model, pattern));
  const [longest] = fitting.sort((a, b) => b.length - a.length);
  return longest === undefined ? undefined : models[longest];
}

/**
 * The prices of models: those of the configuration, and for other models those of the built-in list, if the currency is
 * the same. Reads the configuration at once, and throws `config-invalid`. The list is loaded if a model needs it.
 */
export async function findPrices(search: ConfigurationSearch): Promise<FindPrices> {
  const own = await configuredPrices(search);
  return async (models) => {
    const currency = own?.prices.currency ?? LIST_CURRENCY;
    const usesList =
      currency === LIST_CURRENCY &&
      [...models].some((model) => own === undefined || priceIn(own.prices, model) === undefined);
    const listed = usesList ? (await import('./price-list.ts')).priceList() : undefined;
    if (own === undefined && listed === undefined) return undefined;
    return {
      currency,
      of: (charge) => {
        const prices = own && priceIn(own.prices, charge.model);
        return own === undefined || prices === undefined
          ? listed?.(charge)
          : { prices, from: { file: own.file } };
      },
    };
  };
}
