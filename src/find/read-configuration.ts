import type { TomlError } from 'smol-toml';
import * as z from 'zod';
import { isObject, type JsonObject } from '../base/json/value.ts';
import { type OwnPrices, pricesSchema } from '../dialects/kit/prices-schema.ts';
import { type UpcastStep, upcastSchema, upcastsSchema } from '../dialects/kit/upcast-schema.ts';
import { allDialects, formatReaders, type OwnFormats } from '../dialects/registry.ts';
import { type Profiles, profilesSchema } from '../findings/chains/profile.ts';
import { REQUIRED_LEVELS } from '../findings/level.ts';
import type { DialectSettings } from '../findings/options.ts';
import { RULED_SEVERITIES } from '../findings/severity.ts';
import { requireSettings } from '../log/schema/require.ts';
import { type ConfigurationFile, invalid } from './configuration-file.ts';

const flag = z.boolean('must be true or false').optional();
const count = z.int('must be a whole number').min(0, 'must be a whole number').optional();
const severity = z.enum(RULED_SEVERITIES, `must be one of ${RULED_SEVERITIES.join(', ')}`);

/** The table `[verify]`, with the same names as the options of `noesis verify`. */
const verifySchema = z.strictObject(
  {
    strict: flag,
    require_seal: flag,
    require_signature: flag,
    require_level: z.enum(REQUIRED_LEVELS, `must be one of ${REQUIRED_LEVELS.join(', ')}`).optional(),
    max_warnings: count,
    max_findings: count,
    rules: z.record(z.string(), severity, 'must be a table').optional(),
  },
  'must be a table',
);

export type VerifySettings = z.infer<typeof verifySchema>;

/** A valid configuration file. */
export interface Configuration {
  /** Absolute. */
  readonly path: string;
  /** Where episodes are written, relative to where the runtime runs. */
  readonly runsDir?: string;
  readonly verify: VerifySettings;
  /** The prices of models, from `[prices]`. */
  readonly prices?: OwnPrices;
  /** The dialects' own tables, by dialect. */
  readonly dialects: DialectSettings;
  /** The log formats that the user describes, by name: the tables below `[dialects]`. */
  readonly formats: OwnFormats['named'];
  /** The profiles of chained records that the user declares, by name: the tables below `[chains]`. */
  readonly chains: Profiles;
  /** The upcast steps: the tables `[[upcast]]`. */
  readonly upcasts: readonly UpcastStep[];
  /** The number of settings that change how logs are read: of dialects, formats and upcast steps. */
  readonly settings: number;
}

/** JSON has no dates: as an object, a date would pass as an empty table. */
function withoutDates(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(withoutDates);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutDates(item)]));
}

async function parseToml(path: string, text: string): Promise<JsonObject> {
  const { parse } = await import('smol-toml');
  try {
    return withoutDates(parse(text)) as JsonObject;
  } catch (error) {
    const { message, line } = error as TomlError;
    throw invalid(path, `${path} is not valid TOML`, message.split('\n')[0], line);
  }
}

/** The schema of a configuration: the tool's table, and the tables of each dialect. */
async function configurationSchema(): Promise<z.ZodType<JsonObject>> {
  const { formatsSchema } = await formatReaders();
  const versioned = allDialects().flatMap(({ name, upcast }) => (upcast ? [name] : []));
  const shape: Record<string, z.ZodType> = {
    verify: verifySchema.optional(),
    dialects: formatsSchema.optional(),
    chains: profilesSchema.optional(),
    prices: pricesSchema.optional(),
    upcast: z
      .array(
        upcastSchema.safeExtend({ dialect: z.enum(versioned, `must be one of ${versioned.join(', ')}`) }),
        'must be tables [[upcast]]',
      )
      .optional(),
  };
  for (const { name, configuration } of allDialects()) {
    const own = await configuration?.();
    if (own === undefined) continue;
    // If a program has its own table, it ignores its keys at the top level, so those stay allowed.
    Object.assign(shape, own.top, { [name]: own.table.optional() });
  }
  return z.strictObject(shape) as unknown as z.ZodType<JsonObject>;
}

/** The line of a table or key in a configuration: the first that looks like it. */
function lineIn(text: string, name: string): number | undefined {
  const line = text.split('\n').findIndex((one) => {
    const [, found] = /^\s*\[*\s*(?:[\w-]+\s*\.\s*)*["']?([^"'\]=]*?)["']?\s*[\]=]/.exec(one) ?? [];
    return found === name;
  });
  return line === -1 ? undefined : line + 1;
}

/** Parses a configuration. Throws `config-invalid` for invalid TOML and unknown keys. */
export async function readConfiguration({ path, text }: ConfigurationFile): Promise<Configuration> {
  const table = await parseToml(path, text);
  const lineOf = (name: string) => lineIn(text, name);
  requireSettings(await configurationSchema(), table, {
    source: path,
    lineOf,
    help: 'noesis help configuration describes the settings',
  });
  const verify = verifySchema.parse(table['verify'] ?? {});
  const dialects: Record<string, JsonObject> = {};
  let runsDir: unknown;
  let settings = 0;
  for (const { name, configuration } of allDialects()) {
    const section = table[name];
    if (configuration === undefined) continue;
    if (isObject(section)) dialects[name] = section;
    // A table next to top-level keys belongs to another program.
    if ((await configuration()).top !== undefined)
      runsDir = (isObject(section) ? section : table)['runs_dir'];
    else if (isObject(section)) settings += Object.keys(section).length;
  }
  const formats = (await formatReaders()).formatsSchema.parse(table['dialects'] ?? {});
  const chains = profilesSchema.parse(table['chains'] ?? {});
  const upcasts = upcastsSchema.parse(table['upcast'] ?? []);
  for (const { dialect } of upcasts)
    dialects[dialect] = {
      ...dialects[dialect],
      upcast: upcasts.filter((step) => step.dialect === dialect) as unknown as JsonObject[],
    };
  settings += Object.keys(formats).length + Object.keys(chains).length + upcasts.length;
  return {
    path,
    verify,
    dialects,
    formats,
    chains,
    upcasts,
    settings,
    ...(table['prices'] !== undefined && { prices: pricesSchema.parse(table['prices']) }),
    ...(typeof runsDir === 'string' && { runsDir }),
  };
}
