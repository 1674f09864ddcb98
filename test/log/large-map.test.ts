import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LargeMap } from '../../src/log/large-map.ts';

it('is a map, whatever one Map holds', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string()), fc.integer({ min: 1, max: 4 }), (keys, most) => {
      const map = new LargeMap<number>(most);
      for (const [index, key] of keys.entries()) {
        expect(map.get(key)).toBeUndefined();
        map.add(key, index);
      }
      expect(keys.map((key) => map.get(key))).toEqual(keys.map((_, index) => index));
      expect([...map]).toEqual(keys.map((key, index) => [key, index]));
    }),
  );
});
