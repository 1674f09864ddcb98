import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonValue } from '../../src/base/json/value.ts';
import { ValueRedactor } from '../../src/write/redact/values.ts';
import { runHere } from '../support/in-process.ts';
import { HARMLESS } from '../support/secrets/harmless.ts';
import { SECRETS } from '../support/secrets/secrets.ts';
import { writeTree } from '../support/temp.ts';

const redacted = (value: JsonValue): JsonValue =>
  new ValueRedactor(new Set(), { keep: [], drop: [] }).value(value);

test('the table has more than 220 kinds', () => {
  expect(SECRETS.length).toBeGreaterThan(220);
});

test.each(SECRETS.map((one) => [one.what, one] as const))('redacts: %s', (_, { value, secrets }) => {
  const before = JSON.stringify(value);
  const after = JSON.stringify(redacted(value));
  expect(after).toContain('[redacted:');
  for (const secret of secrets) {
    const stored = JSON.stringify(secret).slice(1, -1);
    expect(before.includes(stored) || JSON.stringify(before).includes(stored)).toBe(true);
    expect(after).not.toContain(stored);
  }
});

test.each(SECRETS.map((one) => [one.what, one] as const))('leaves a copy as it is: %s', (_, { value }) => {
  const once = redacted(value);
  expect(redacted(once)).toEqual(once);
});

test.each(HARMLESS.map((value) => [JSON.stringify(value), value] as const))(
  'leaves alone: %s',
  (_, value) => {
    expect(redacted(value)).toEqual(value);
  },
);

test('no secret of the table is in a copy that the command makes', async () => {
  const log = SECRETS.map((one, index) => `${JSON.stringify({ id: `e${index}`, said: one.value })}\n`).join(
    '',
  );
  const cwd = writeTree({ 'a.jsonl': log });
  const { code } = await runHere(['redact', 'a.jsonl', '-o', 'out'], { cwd });
  expect(code).toBe(0);
  const lines = readFileSync(join(cwd, 'out/a.jsonl'), 'utf8').trim().split('\n');
  for (const [index, { what, secrets }] of SECRETS.entries())
    for (const secret of secrets)
      expect([what, lines[index]?.includes(JSON.stringify(secret).slice(1, -1))]).toEqual([what, false]);
});
