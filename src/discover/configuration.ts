import type { OwnFormats } from '../dialects/registry.ts';
import { type ConfigurationFile, nearestConfiguration } from './configuration-file.ts';
import type { Configuration } from './read-configuration.ts';

export type { Configuration, VerifySettings } from './read-configuration.ts';

/** Every command looks for a configuration: what reads one is loaded where there is one. */
async function read(file: ConfigurationFile): Promise<Configuration> {
  const { readConfiguration } = await import('./read-configuration.ts');
  return readConfiguration(file);
}

/**
 * The nearest `noesis.toml` or `.noesis.toml`, in the folder or above it. Throws `config-invalid` where it is no TOML,
 * or holds what nobody knows: a word that is misspelt would be a setting that is off.
 */
export async function findConfiguration(cwd: string): Promise<Configuration | undefined> {
  const file = await nearestConfiguration(cwd);
  return file && read(file);
}

/**
 * The formats of logs that the nearest configuration describes. Nothing is parsed where it has no such table: most
 * commands need no more of it. Throws `config-invalid`.
 */
export async function findFormats(cwd: string): Promise<OwnFormats['named']> {
  const file = await nearestConfiguration(cwd);
  if (file === undefined || !/^\s*\[\s*dialects\b/m.test(file.text)) return {};
  return (await read(file)).formats;
}
