import { expect, test } from 'vitest';
import * as z from 'zod';
import { fieldsOf } from '../../src/log/schema/fields.ts';

test.each([
  ['an object', z.object({ a: z.string(), b: z.number().optional() }), ['a', 'b?']],
  [
    'one of several forms',
    z.union([z.object({ a: z.string(), b: z.string() }), z.object({ a: z.string() })]),
    ['a', 'b?'],
  ],
  ['a form that is not an object', z.union([z.object({ a: z.string() }), z.string()]), ['a?']],
  ['a text', z.string(), []],
])('the fields of %s', (_what, schema, fields) => {
  expect(fieldsOf(schema)).toEqual(fields);
});
