import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inCamelCase, inSnakeCase } from '../../src/base/json/member-names.ts';
import { StoredNumber } from '../../src/base/json/stored-number.ts';

test('names of members are renamed at every level, in lists too', () => {
  expect(inSnakeCase({ durationMs: 1, steps: [{ resultLine: 2 }], p95: 3 })).toEqual({
    duration_ms: 1,
    steps: [{ result_line: 2 }],
    p95: 3,
  });
});

test('words of a log as keys stay, but not the names below them', () => {
  const value = { tools: { TodoWrite: { durationMs: 1 }, durationMs: { isOver: true } } };
  expect(inSnakeCase(value, { tools: 'keys' })).toEqual({
    tools: { TodoWrite: { duration_ms: 1 }, durationMs: { is_over: true } },
  });
});

test('a stored value stays whole, and so does a number with the digits of the log', () => {
  const number = new StoredNumber('1.0');
  const stored = { parentUuid: { toolUse: number } };
  expect(inSnakeCase({ event: stored, n: number }, { event: 'value' })).toEqual({ event: stored, n: number });
});

test('what is printed is read back', () => {
  const names = fc.stringMatching(/^[a-z][a-z0-9]*([A-Z][a-z0-9]+){0,3}$/);
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(fc.integer(), fc.string(), fc.array(tie('value')), fc.dictionary(names, tie('value'))),
  }));
  fc.assert(
    fc.property(value, (one) => {
      expect(inCamelCase(inSnakeCase(one))).toEqual(one);
    }),
  );
});
