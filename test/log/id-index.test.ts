import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { IdIndex } from '../../src/log/id-index.ts';

/** Feeds both the index and a Map, and compares every answer. */
function agree(ids: readonly string[]): void {
  const index = new IdIndex();
  const model = new Map<string, { ordinal: number; line: number }>();
  ids.forEach((id, n) => {
    const line = n + 1;
    const known = model.get(id);
    expect(index.add(id, line)).toBe(known?.ordinal ?? -1);
    if (known === undefined) model.set(id, { ordinal: model.size, line });
  });
  expect(index.size).toBe(model.size);
  for (const [id, { ordinal, line }] of model) {
    expect(index.find(id)).toBe(ordinal);
    expect(index.lineOf(ordinal)).toBe(line);
  }
}

describe('an index of ids answers as a Map does', () => {
  test('for any strings, repeated ones among them', () => {
    const id = fc.oneof(fc.string({ unit: 'binary', maxLength: 6 }), fc.constantFrom('a', 'b', ''));
    fc.assert(fc.property(fc.array(id, { maxLength: 60 }), agree));
  });

  test('for halves of surrogate pairs, and ids that look like how those are written', () => {
    const half = '\ud800';
    agree([half, '\udc00', JSON.stringify(half), `"\\ud800"`, '\\ud800', '\ufffd', half + half, half]);
    const id = fc.array(fc.constantFrom('\ud800', '\udfff', '\ufffd', '\\', '"', 'u', 'd800'), {
      maxLength: 5,
    });
    fc.assert(fc.property(fc.array(id.map((parts) => parts.join(''))), agree));
  });

  test('for tens of thousands, through every growth', () => {
    agree(Array.from({ length: 20_000 }, (_, n) => `id-${(n * 7919) % 15_000}`));
  });

  test('for ids longer than its blocks', () => {
    const long = 'x'.repeat(3 * 1024 * 1024);
    agree(['a', long, `${long}y`, 'b', long, 'a']);
  });

  test('for one it never saw', () => {
    const index = new IdIndex();
    index.add('a', 1);
    expect(index.find('b')).toBe(-1);
  });
});
