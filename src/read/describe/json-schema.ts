import * as z from 'zod';
import { UsageError } from '../../base/errors.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import { reportSchema } from '../../findings/report-schema.ts';

const REPORT = { schema: reportSchema, title: 'The report of noesis verify -j' };

/**
 * Makes a JSON Schema (draft 2020-12) from the zod schema with that name: the report's, or one of the
 * dialect's. Throws `usage` for an unknown name.
 */
export async function jsonSchema(name: string, dialect: Dialect): Promise<Record<string, unknown>> {
  const own = (await dialect.schemas?.()) ?? {};
  const named = name === 'report' ? REPORT : Object.hasOwn(own, name) ? own[name] : undefined;
  if (named === undefined) {
    throw new UsageError('usage', `there is no schema ${name} in this dialect (${dialect.name})`, {
      hint: `known schemas: ${[...Object.keys(own), 'report'].join(', ')}`,
    });
  }
  const { $schema, ...rest } = z.toJSONSchema(named.schema, { unrepresentable: 'any' });
  const versions = dialect.versions?.[name];
  const comment = versions && `this describes the versions ${versions.join(', ')}`;
  return { $schema, title: named.title, ...(comment && { $comment: comment }), ...rest };
}
