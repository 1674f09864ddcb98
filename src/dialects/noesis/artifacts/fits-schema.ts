import type * as z from 'zod';
import type { Document } from '../../../findings/document.ts';
import { schemaIssues } from '../../../findings/schema-issues.ts';

/** Checks an artifact with a schema, and reports where it does not fit. */
export function fitsSchema(document: Document, schema: z.ZodType): boolean {
  const issues = schemaIssues(schema, document.value);
  for (const { path, message, expected, actual } of issues)
    document.at({ code: 'artifact/schema', message, path, expected, actual });
  return issues.length === 0;
}
