import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Upcaster, UpcasterRegistry } from '../../src/dialects/upcast.ts';

const step = (from: Upcaster['from'], to: Upcaster['to']): Upcaster => ({
  dialect: 'fishbowl',
  from,
  to,
  upcast: (event) => ({ ...event, [`was-${from}`]: true }),
});

test('steps are chained, and the stored event stays as it is', () => {
  const registry = new UpcasterRegistry([step(1, 2), step(2, '3')]);
  const stored = Object.freeze({ id: 'e' });
  expect(registry.upcast('fishbowl', stored, 1, '3')).toEqual({
    event: { id: 'e', 'was-1': true, 'was-2': true },
    versions: [1, 2, '3'],
  });
  expect(stored).toEqual({ id: 'e' });
});

test('an event in the wanted form is handed back', () => {
  const event = {};
  expect(new UpcasterRegistry().upcast('fishbowl', event, 1, 1)?.event).toBe(event);
});

test('where no chain leads there is no answer, and a circle ends', () => {
  const registry = new UpcasterRegistry([step(1, 2), step(2, 1)]);
  expect(registry.upcast('fishbowl', {}, 1, 3)).toBeUndefined();
  expect(registry.upcast('fishbowl', {}, 7, 1)).toBeUndefined();
  expect(registry.upcast('coordinator', {}, 1, 2)).toBeUndefined();
  expect(registry.upcast('fishbowl', {}, '1', 2)).toBeUndefined();
});

test('two steps from one version, or one that leads nowhere, are bugs', () => {
  expect(() => new UpcasterRegistry([step(1, 2), step(1, 3)])).toThrow(/already/);
  expect(() => new UpcasterRegistry([step(1, 1)])).toThrow(/nowhere/);
});

test('a chain of any length passes each version once, in order', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 }), (length) => {
      const steps = Array.from({ length }, (_, at) => step(at, at + 1));
      const versions = new UpcasterRegistry(steps).upcast('fishbowl', {}, 0, length)?.versions;
      expect(versions).toEqual(Array.from({ length: length + 1 }, (_, at) => at));
    }),
  );
});
