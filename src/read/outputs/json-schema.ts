import * as z from 'zod';
import { UsageError } from '../../base/errors.ts';
import { snakeCase } from '../../base/json/member-names.ts';
import type { JsonObject } from '../../base/json/value.ts';
import type { Dialect, NamedSchema } from '../../dialects/dialect.ts';
import { profileSchema } from '../../findings/chains/profile.ts';
import { reportSchema } from '../../findings/report-schema.ts';
import { isOutputName, OUTPUT_NAMES, OUTPUTS } from './names.ts';
import { OUTPUT_SCHEMAS } from './schemas.ts';

/** The schema of a JSON output: the same, with the names that the output has. */
function ofOutput(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(ofOutput);
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = Object.entries(schema).map(([keyword, part]): [string, unknown] => {
    if (keyword === 'required' && Array.isArray(part)) return [keyword, part.map(String).map(snakeCase)];
    if (keyword !== 'properties') return [keyword, ofOutput(part)];
    const members = Object.entries(Object(part)).map(([name, own]) => [snakeCase(name), ofOutput(own)]);
    return [keyword, Object.fromEntries(members)];
  });
  return Object.fromEntries(parts);
}

/** The schemas of no dialect. */
const SHARED: Readonly<Record<string, NamedSchema>> = {
  chain: {
    schema: profileSchema,
    title: 'A table [chains.NAME] of noesis.toml: how the records of a log are chained',
  },
};
const REPORT: NamedSchema = { schema: reportSchema, title: 'The report of noesis verify -j' };

/** The schema of an output of a command; undefined if the name is another one. */
function outputNamed(name: string): NamedSchema | undefined {
  if (name === 'report') return REPORT;
  if (!isOutputName(name)) return undefined;
  const { command, form } = OUTPUTS[name];
  const what = form === 'lines' ? 'A line of the output of' : 'The output of';
  return { schema: OUTPUT_SCHEMAS[name], title: `${what} noesis ${command}` };
}

/**
 * Makes a JSON Schema (draft 2020-12) from the zod schema with that name: of an output, of a table of the configuration, or
 * of a file of the dialect. Throws `usage` for an unknown name.
 */
export async function jsonSchema(name: string, dialect: Dialect): Promise<JsonObject> {
  const own = (await dialect.schemas?.()) ?? {};
  const files = { ...SHARED, ...own };
  const output = outputNamed(name);
  const named = output ?? (Object.hasOwn(files, name) ? files[name] : undefined);
  if (named === undefined) {
    throw new UsageError('usage', `there is no schema ${name} in this dialect (${dialect.name})`, {
      hint: `give one of the known schemas: ${[...Object.keys(own), 'report', ...Object.keys(SHARED), ...OUTPUT_NAMES].join(', ')}`,
    });
  }
  const { $schema, ...stored } = z.toJSONSchema(named.schema, { unrepresentable: 'any' });
  const rest = output === undefined ? stored : Object(ofOutput(stored));
  const versions = dialect.versions?.[name];
  const comment = versions && `this describes the versions ${versions.join(', ')}`;
  return { $schema, title: named.title, ...(comment && { $comment: comment }), ...rest };
}
