import type { TomlError } from 'smol-toml';
import * as z from 'zod';
import { DIALECTS, formatReaders, type OwnFormats } from '../dialects/registry.ts';
import { type UpcastStep, upcastSchema, upcastsSchema } from '../dialects/upcast-schema.ts';
import { REQUIRED_LEVELS } from '../findings/level.ts';
import type { DialectSettings } from '../findings/options.ts';
import { RULED_SEVERITIES } from '../findings/severity.ts';
import { isObject, type JsonObject } from '../json/value.ts';
import { requireSettings } from '../schema/require.ts';
import { type ConfigurationFile, invalid } from './configuration-file.ts';

const flag = z.boolean('must be true or false').optional();
const count = z.int('must be a whole number').min(0, 'must be a whole number').optional();
const severity = z.enum(RULED_SEVERITIES, `must be one of ${RULED_SEVERITIES.join(', ')}`);

/** The table `[verify]`: what the options of `noesis verify` of the same names say. */
const verifySchema = z.strictObject(
  {
    strict: flag,
    require_seal: flag,
    require_signature: flag,
    require_level: z.enum(REQUIRED_LEVELS).optional(),
    max_warnings: count,
    max_findings: count,
    rules: z.record(z.string(), severity, 'must be a table').optional(),
  },
  'must be a table',
);

/** What `[verify]` says. */
export type VerifySettings = z.infer<typeof verifySchema>;

/** A configuration file that was found: nothing in it is unknown. */
export interface Configuration {
  /** Absolute. */
  readonly path: string;
  /** Where episodes are written; relative to where the runtime runs. */
  readonly runsDir?: string;
  readonly verify: VerifySettings;
  /** The tables that dialects have for themselves, by their names. */
  readonly dialects: DialectSettings;
  /** The formats of logs that the user describes, by their names: the tables below `[dialects]`. */
  readonly formats: OwnFormats['named'];
  /** The steps from older forms of events: the tables `[[upcast]]`. */
  readonly upcasts: readonly UpcastStep[];
  /** How many settings change how logs are read: those of dialects, formats and upcast steps. */
  readonly settings: number;
}

async function parseToml(path: string, text: string): Promise<JsonObject> {
  const { parse } = await import('smol-toml');
  try {
    return parse(text) as JsonObject;
  } catch (error) {
    const { message, line } = error as TomlError;
    throw invalid(path, `${path} is not valid TOML`, message.split('\n')[0], line);
  }
}

/** The one schema of a configuration: the tool's own table, and of each dialect what its program or its checks take. */
async function configurationSchema(): Promise<z.ZodType<JsonObject>> {
  const { formatsSchema } = await formatReaders();
  const versioned = DIALECTS.flatMap(({ name, upcast }) => (upcast ? [name] : []));
  const shape: Record<string, z.ZodType> = {
    verify: verifySchema.optional(),
    dialects: formatsSchema.optional(),
    upcast: z
      .array(
        upcastSchema.safeExtend({ dialect: z.enum(versioned, `must be one of ${versioned.join(', ')}`) }),
        'must be tables [[upcast]]',
      )
      .optional(),
  };
  for (const { name, configuration } of DIALECTS) {
    const own = await configuration?.();
    if (own === undefined) continue;
    // With a table of its own the program ignores what it knows at the top: that stays allowed.
    Object.assign(shape, own.top, { [name]: own.table.optional() });
  }
  return z.strictObject(shape) as unknown as z.ZodType<JsonObject>;
}

/** The line of a table or a key in the text of a configuration: the first that looks like it. */
function lineIn(text: string, name: string): number | undefined {
  const line = text.split('\n').findIndex((one) => {
    const [, found] = /^\s*\[*\s*(?:[\w-]+\s*\.\s*)*["']?([^"'\]=]*?)["']?\s*[\]=]/.exec(one) ?? [];
    return found === name;
  });
  return line === -1 ? undefined : line + 1;
}

/** Reads a configuration. Throws `config-invalid` where it is no TOML, or holds what nobody knows. */
export async function readConfiguration({ path, text }: ConfigurationFile): Promise<Configuration> {
  const table = await parseToml(path, text);
  const lineOf = (name: string) => lineIn(text, name);
  requireSettings(await configurationSchema(), table, { source: path, lineOf });
  const verify = verifySchema.parse(table['verify'] ?? {});
  const dialects: Record<string, JsonObject> = {};
  let runsDir: unknown;
  let settings = 0;
  for (const { name, configuration } of DIALECTS) {
    const section = table[name];
    if (configuration === undefined) continue;
    if (isObject(section)) dialects[name] = section;
    // A table next to keys at the top is for another program.
    if ((await configuration()).top !== undefined)
      runsDir = (isObject(section) ? section : table)['runs_dir'];
    else if (isObject(section)) settings += Object.keys(section).length;
  }
  const formats = (await formatReaders()).formatsSchema.parse(table['dialects'] ?? {});
  const upcasts = upcastsSchema.parse(table['upcast'] ?? []);
  for (const { dialect } of upcasts)
    dialects[dialect] = {
      ...dialects[dialect],
      upcast: upcasts.filter((step) => step.dialect === dialect) as unknown as JsonObject[],
    };
  settings += Object.keys(formats).length + upcasts.length;
  return {
    path,
    verify,
    dialects,
    formats,
    upcasts,
    settings,
    ...(typeof runsDir === 'string' && { runsDir }),
  };
}
