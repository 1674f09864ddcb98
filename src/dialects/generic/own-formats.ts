import * as z from 'zod';
import { fieldMapSchema, ownFormatSchema } from './format.ts';

const name = z.string().regex(/^[a-z][a-z0-9-]*$/);

/** The tables below `[dialects]` of a configuration, each a user-defined format. */
export const formatsSchema = z.record(name, ownFormatSchema, {
  error: ({ code }) => (code === 'invalid_key' ? 'must have a name of a-z, 0-9 and -' : 'must be a table'),
});

const PAIR = /^\s*([a-z]+)\s*=\s*(\S+)\s*$/;

/** Parses `--map`, such as `id=uuid,time=created`; undefined if it is invalid. */
export function parseFieldMap(text: string): z.infer<typeof fieldMapSchema> | undefined {
  const pairs = text.split(',').map((pair) => PAIR.exec(pair)?.slice(1));
  if (!pairs.every((pair) => pair !== undefined)) return undefined;
  const read = fieldMapSchema.safeParse(Object.fromEntries(pairs));
  return read.success ? read.data : undefined;
}
