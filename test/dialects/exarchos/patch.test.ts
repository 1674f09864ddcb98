import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { valueAt } from '../../../src/base/json/path.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../src/base/json/value.ts';
import { applyPatch, expandKey } from '../../../src/dialects/exarchos/projection/patch.ts';

const withPatch = (document: JsonObject, patch: JsonObject): JsonObject => {
  applyPatch(document, patch);
  return document;
};

describe('keys of a patch', () => {
  test.each([
    ['phase', ['phase']],
    ['artifacts.design', ['artifacts', 'design']],
    ['tasks[0].status', ['tasks', 0, 'status']],
    ['a[1][2].b', ['a', 1, 2, 'b']],
    ['reviews.spec-review.status', ['reviews', 'spec-review', 'status']],
    ['a..b', ['a..b']],
    ['', ['']],
    ['a[', ['a[']],
    ['[0]', ['[0]']],
    ['a[-1]', ['a[-1]']],
    ['a[99999999999999999999]', ['a[99999999999999999999]']],
  ])('%j', (key, path) => {
    expect(expandKey(key)).toEqual(path);
  });

  test.each([
    '__proto__',
    '__proto__.x',
    'a.__proto__.x',
    'constructor.prototype.x',
    '__proto__..x'.slice(0, 9),
  ])('%s is not followed', (key) => {
    expect(expandKey(key)).toBeUndefined();
  });

  test('an endless path is not followed', () => {
    expect(expandKey(Array(64).fill('a').join('.'))).toHaveLength(64);
    expect(expandKey(Array(65).fill('a').join('.'))).toBeUndefined();
    expect(expandKey(`a${'[0]'.repeat(65)}`)).toBeUndefined();
    expect(expandKey('a.'.repeat(1_000_000))).toBeUndefined();
    expect(expandKey(`a${'[0]'.repeat(5_000_000)}`)).toBeUndefined();
  });
});

describe('patches', () => {
  test('missing parts are created', () => {
    expect(withPatch({}, { 'a.b[0].c': 1 })).toEqual({ a: { b: [{ c: 1 }] } });
    expect(withPatch({ a: null }, { 'a.b': 1 })).toEqual({ a: { b: 1 } });
  });

  test('objects merge, anything else replaces', () => {
    const document = { reviews: { a: { status: 'fail', by: 'x' } }, tasks: [{ id: 't1' }] };
    expect(withPatch(document, { reviews: { a: { status: 'pass' } }, tasks: [{ id: 't2' }] })).toEqual({
      reviews: { a: { status: 'pass', by: 'x' } },
      tasks: [{ id: 't2' }],
    });
    expect(withPatch({ a: { b: 1 } }, { a: null })).toEqual({ a: null });
  });

  test('an index may exceed the length by one at most', () => {
    expect(withPatch({ a: [1] }, { 'a[1]': 2 })).toEqual({ a: [1, 2] });
    expect(withPatch({ a: [1] }, { 'a[2]': 2 })).toEqual({ a: [1, null, 2] });
    expect(withPatch({ a: [1] }, { 'a[3]': 2 })).toEqual({ a: [1] });
    expect(withPatch({}, { 'a.b[999999999].c': 2 })).toEqual({});
  });

  test('a name finds nothing in an array, and digits are an index', () => {
    expect(withPatch({ tasks: [{ id: 't' }] }, { 'tasks.0.status': 'x', 'tasks.name': 1 })).toEqual({
      tasks: [{ id: 't', status: 'x' }],
    });
  });

  test('reports the parts that got a new value', () => {
    const told: string[] = [];
    applyPatch({ a: { b: { c: 1 } } }, { a: { b: { c: 2, d: [1] } }, 'x.y': {} }, (path) =>
      told.push(path.join('/')),
    );
    expect(told).toEqual(['a/b/c', 'a/b/d', 'x/y']);
  });

  test('a prototype cannot be reached, and data by that name is kept as data', () => {
    const patch = JSON.parse(
      '{"__proto__":{"polluted":1},"a":{"__proto__":{"polluted":1},"b":1},"a.constructor.x":1}',
    ) as JsonObject;
    const document = withPatch({ a: { c: 1 } }, patch);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(document['a'])).toBe(Object.prototype);
    expect(JSON.stringify(document)).toBe('{"a":{"c":1,"__proto__":{"polluted":1},"b":1}}');
  });
});

const name = fc.stringMatching(/^[a-z][a-z-]{0,3}$/);
const scalar = fc.oneof(fc.integer(), fc.string({ maxLength: 3 }), fc.boolean(), fc.constant(null));
const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(name, fc.constantFrom('__proto__', 'a.b')), tie('value'), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  ),
}));
const object = value.filter(isObject);

test('a path has the reported value afterwards', () => {
  const segments = fc
    .array(fc.oneof(name, fc.constant(0)), { minLength: 1, maxLength: 6 })
    .filter(([first]) => first !== 0);
  fc.assert(
    fc.property(object, segments, scalar, (document, path, put) => {
      const key = path.map((part, at) => (part === 0 ? '[0]' : at === 0 ? part : `.${part}`)).join('');
      fc.pre(!JSON.stringify(document).includes('['));
      expect(expandKey(key)).toEqual(path);
      applyPatch(document, { [key]: put });
      expect(valueAt(document, path)).toEqual(put);
    }),
  );
});

/** Deep merge, written plainly. */
function merged(target: JsonValue | undefined, source: JsonValue): JsonValue {
  if (!isObject(target) || !isObject(source)) return source;
  const entries = Object.entries(source).map(([key, inner]): [string, JsonValue] => [
    key,
    merged(Object.hasOwn(target, key) ? target[key] : undefined, inner),
  ]);
  return Object.fromEntries([...Object.entries(target), ...entries]);
}

test('a patch without paths is a deep merge, and is left as it was', () => {
  fc.assert(
    fc.property(object, object, (document, inner) => {
      const patch: JsonObject = { part: inner };
      const before = JSON.stringify(patch);
      const expected = merged({ part: document }, patch);
      const patched = withPatch({ part: structuredClone(document) }, patch);
      expect(JSON.stringify(patched)).toBe(JSON.stringify(expected));
      applyPatch(patched, { 'part.deep.er': 1, 'part.x[0]': 2 });
      expect(JSON.stringify(patch)).toBe(before);
    }),
  );
});

test('no key does harm', () => {
  const key = fc.oneof(
    fc.string(),
    fc
      .array(fc.constantFrom('a', '.', '[', ']', '0', '9', '__proto__', 'constructor', 'tasks'), {
        maxLength: 12,
      })
      .map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(key, value), { maxLength: 8 }), (entries) => {
      const document: JsonObject = { tasks: [{ id: 't' }] };
      for (const [one, put] of entries) applyPatch(document, Object.fromEntries([[one, put]]));
      expect(JSON.parse(JSON.stringify(document))).toEqual(document);
      expect(Object.getPrototypeOf(document)).toBe(Object.prototype);
      expect(Object.keys(Object.prototype)).toEqual([]);
    }),
  );
});
