import { expect, test } from 'vitest';
import * as z from 'zod';
import { ConfigurationError } from '../../src/base/errors.ts';
import { requireSettings } from '../../src/log/schema/require.ts';

const entry = z.strictObject({ word: z.string('must be a text'), count: z.number().optional() });
const schema = z.strictObject(
  {
    list: z.array(entry).optional(),
    table: z.record(z.string(), entry).optional(),
  },
  'must be a table',
);

function refusal(value: unknown, path: readonly string[] = []): [string, string | undefined] {
  try {
    requireSettings(schema, value, { source: 'a file', path, lineOf: () => undefined });
  } catch (error) {
    if (error instanceof ConfigurationError) return [error.message, error.hint];
  }
  throw new Error('it was taken');
}

test.each([
  ['a text', 'must be a table (a file)', undefined],
  [{ tabel: {} }, '[tabel]', 'did you mean [table]?'],
  [{ lst: 1 }, 'lst is not a setting (a file)', 'did you mean list?'],
  [{ table: { a: { word: 1 } } }, 'table.a.word must be a text (a file)', undefined],
  [
    { table: { a: { word: '', cuont: 1 } } },
    'table.a.cuont is not a setting (a file)',
    'did you mean count?',
  ],
  [{ list: [{ word: '', cuont: 1 }] }, 'list[0].cuont is not a setting (a file)', 'did you mean count?'],
])('%j is refused', (value, message, hint) => {
  const [told, help] = refusal(value);
  expect([told, help]).toEqual([
    expect.stringContaining(message.replace('[tabel]', 'tabel is not a table')),
    hint,
  ]);
});
