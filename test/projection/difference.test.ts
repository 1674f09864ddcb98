import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsePath, valueAt } from '../../src/base/json/path.ts';
import { jsonEqual } from '../../src/base/json/value.ts';
import { differences } from '../../src/findings/projection/difference.ts';
import { EvidenceMap } from '../../src/findings/projection/evidence.ts';

const none = new EvidenceMap();
const compare = (projected: unknown, stored: unknown) => differences(projected, stored, [], none);

describe('differences', () => {
  test('are the smallest parts that differ', () => {
    expect(compare({ a: [1, { b: 2, c: 3 }] }, { a: [1, { b: 2, c: 4 }] })).toEqual([
      { path: 'a[1].c', projected: 3, stored: 4 },
    ]);
  });

  test('leave out the side that has no value, and keep null', () => {
    expect(compare({ a: 1, b: null }, { c: 1, b: undefined })).toEqual([
      { path: 'a', projected: 1 },
      { path: 'b', projected: null },
      { path: 'c', stored: 1 },
    ]);
    expect(compare([1], [1, 2])).toEqual([{ path: '[1]', stored: 2 }]);
    expect(compare([1, 2], [1])).toEqual([{ path: '[1]', projected: 2 }]);
  });

  test('treat an object, a list and null as three kinds', () => {
    expect(compare({}, [])).toEqual([{ path: '', projected: {}, stored: [] }]);
    expect(compare([], null)).toEqual([{ path: '', projected: [], stored: null }]);
  });

  test('only compare own keys', () => {
    const stored = JSON.parse('{"__proto__":{"a":1},"toString":1}');
    expect(compare({}, stored)).toEqual([
      { path: '__proto__', stored: { a: 1 } },
      { path: 'toString', stored: 1 },
    ]);
  });

  test('are absent exactly if two values are equal, and are at their paths', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 3 }),
        fc.jsonValue({ maxDepth: 3 }),
        fc.boolean(),
        (a, other, same) => {
          const b = same ? structuredClone(a) : other;
          const found = compare(a, b);
          expect(found.length === 0).toBe(jsonEqual(a, b) || Object.is(a, b));
          for (const { path, projected, stored } of found) {
            const segments = parsePath(path) ?? ['?'];
            expect([valueAt(a, segments), valueAt(b, segments)]).toEqual([projected, stored]);
          }
        },
      ),
    );
  });
});

describe('evidence', () => {
  const map = new EvidenceMap();
  map.set('plan', { line: 1 });
  map.set('plan.steps[1]', { eventId: 'e', line: 2 });
  map.set('plan.steps[1].status', { line: 3 });

  test.each([
    ['plan', 1],
    ['plan.source', 1],
    ['plan.steps', 1],
    ['plan.steps[0].status', 1],
    ['plan.steps[1]', 2],
    ['plan.steps[1].inputs["a b"]', 2],
    ['plan.steps[1].status', 3],
    ['plan.steps[10]', 1],
    ['planned', undefined],
    ['', undefined],
  ])('of %j is that of the nearest part', (path, line) => {
    expect(map.of(path)?.line).toBe(line);
  });

  test('is removed with the differences below it', () => {
    const found = differences({ steps: [0, { status: 'done' }] }, { steps: [1, {}] }, ['plan'], map);
    expect(found.map(({ path, evidence }) => [path, evidence?.line])).toEqual([
      ['plan.steps[0]', 1],
      ['plan.steps[1].status', 3],
    ]);
  });
});
