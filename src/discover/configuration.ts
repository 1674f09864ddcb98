import type { OwnFormats } from '../dialects/registry.ts';
import { type ConfigurationFile, type ConfigurationSearch, configurationFile } from './configuration-file.ts';
import type { Configuration } from './read-configuration.ts';

export type { ConfigurationSearch } from './configuration-file.ts';
export type { Configuration, VerifySettings } from './read-configuration.ts';

/** Every command looks for a configuration: what reads one is loaded where there is one. */
async function read(file: ConfigurationFile): Promise<Configuration> {
  const { readConfiguration } = await import('./read-configuration.ts');
  return readConfiguration(file);
}

/**
 * The configuration that the search names, else the nearest `noesis.toml` or `.noesis.toml`. Throws `config-invalid` where it is no TOML,
 * or holds what nobody knows: a word that is misspelt would be a setting that is off.
 */
export async function findConfiguration(search: ConfigurationSearch): Promise<Configuration | undefined> {
  const file = await configurationFile(search);
  return file && read(file);
}

/**
 * The formats of logs that the nearest configuration describes, and the steps from older forms of events. Nothing is
 * parsed if it has no such table: most commands need no more of it. Throws `config-invalid`.
 */
export async function findFormats(
  search: ConfigurationSearch,
): Promise<Pick<OwnFormats, 'named' | 'upcasts'>> {
  const file = await configurationFile(search);
  if (file === undefined || !/^\s*\[+\s*["']?(?:dialects|upcast)\b|^\s*upcast\s*=/m.test(file.text))
    return { named: {} };
  const { formats: named, upcasts } = await read(file);
  return { named, upcasts };
}
