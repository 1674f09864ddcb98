import { basename } from 'node:path';
import type { OwnPrices } from '../dialects/kit/prices-schema.ts';
import type { OwnFormats } from '../dialects/registry.ts';
import { type ConfigurationFile, type ConfigurationSearch, configurationFile } from './configuration-file.ts';
import type { Configuration } from './read-configuration.ts';

export type { ConfigurationSearch, UsedConfiguration } from './configuration-file.ts';
export type { Configuration, VerifySettings } from './read-configuration.ts';

/** Loads the parser only if there is a configuration, because every command looks for one. */
async function read(file: ConfigurationFile): Promise<Configuration> {
  const { readConfiguration } = await import('./read-configuration.ts');
  return readConfiguration(file);
}

/**
 * The named configuration, else the nearest `noesis.toml` or `.noesis.toml`. Throws `config-invalid` for
 * invalid TOML and unknown keys: a misspelt setting would silently be off.
 */
export async function findConfiguration(search: ConfigurationSearch): Promise<Configuration | undefined> {
  const file = await configurationFile(search);
  return file && read(file);
}

/** Whether a text can contain one of these keys. In quotes a key may have escapes. */
const mayHave = ({ text }: ConfigurationFile, keys: RegExp): boolean =>
  keys.test(text) || text.includes('\\');

/**
 * The log formats, chains and upcast steps in the nearest configuration. Without such tables nothing is parsed,
 * because most commands need nothing else. Throws `config-invalid`.
 */
export async function findFormats(
  search: ConfigurationSearch,
): Promise<Pick<OwnFormats, 'named' | 'upcasts' | 'chains'>> {
  const file = await configurationFile(search);
  if (file === undefined || !mayHave(file, /dialects|upcast|chains/)) return { named: {} };
  const { formats: named, upcasts, chains } = await read(file);
  return { named, upcasts, chains };
}

/** The table `[prices]` of the nearest configuration, and the name of the file. Throws `config-invalid`. */
export async function configuredPrices(
  search: ConfigurationSearch,
): Promise<{ readonly prices: OwnPrices; readonly file: string } | undefined> {
  const file = await configurationFile(search);
  if (file === undefined || !mayHave(file, /prices/)) return undefined;
  const { prices } = await read(file);
  if (prices === undefined) return undefined;
  if (search.used !== undefined)
    Object.assign(search.used, { path: file.path, prices: Object.keys(prices.models).length });
  return { prices, file: basename(file.path) };
}
