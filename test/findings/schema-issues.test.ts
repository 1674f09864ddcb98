import { expect, test } from 'vitest';
import * as z from 'zod';
import { schemaIssues } from '../../src/findings/schema-issues.ts';

test.each([
  [z.string().min(1), '', 'x must be a non-empty string, is empty'],
  [z.string().min(2), 'a', 'x must be at least 2, is 1 character'],
  [z.string().max(3), 'abcd', 'x must be at most 3, is 4 characters'],
  [z.array(z.string()).min(1), [], 'x must be at least 1, is empty'],
  [z.array(z.string()).max(1), ['a', 'b'], 'x must be at most 1, is 2 entries'],
  [z.number().max(10), 11, 'x must be at most 10, is 11'],
  [z.literal(true), false, 'x must be `true`, is `false`'],
  [z.literal(true), null, 'x must be `true`, is null'],
  [z.enum(['a', 'b']), 7, 'x must be one of a, b, is `7`'],
  [z.enum(['a', 'b']), 'c', 'x must be one of a, b, is `c`'],
  [z.enum(['a', 'b']), {}, 'x must be one of a, b, is an object'],
  [z.string().min(1), [], 'x must be a string, is an array'],
  [z.string().regex(/^a/, 'an a'), 'b', 'x must be an a, is `b`'],
  [z.string().regex(/^a/, 'an a'), 7, 'x must be a string, is a number'],
  [z.int(), 1.5, 'x must be an integer, is 1.5'],
  [z.number().refine(Number.isInteger, 'an integer'), 1.5, 'x must be an integer, is 1.5'],
  [z.int(), 'a', 'x must be a number, is a string'],
  [z.string(), 7, 'x must be a string, is a number'],
])('an issue names the actual value: %#', (schema, x, message) => {
  expect(schemaIssues(z.object({ x: schema }), { x }).map((issue) => issue.message)).toEqual([message]);
});

test.each([
  [z.string(), 7, 'type'],
  [z.enum(['a']), 'b', 'words'],
  [z.enum(['a']), 7, 'type'],
  [z.literal('a').nullish(), 'b', 'words'],
  [z.number().max(1), 2, 'range'],
  [z.string().min(1), '', 'range'],
  [z.string().regex(/a/), 'b', 'pattern'],
] as const)('an issue names the broken rule: %#', (schema, x, rule) => {
  expect(schemaIssues(z.object({ x: schema }), { x })).toMatchObject([{ rule, path: ['x'] }]);
});

test('a required key may have any value', () => {
  const schema = z.object({ x: z.unknown() });
  expect(schemaIssues(schema, {})).toMatchObject([{ missing: true, message: 'x is missing' }]);
  expect(schemaIssues(schema, { x: null })).toEqual([]);
});
