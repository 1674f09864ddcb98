import { expect, test } from 'vitest';
import { proofOf } from '../../src/findings/level.ts';

test('a log without a record proves nothing', () => {
  const facts = { events: 0, sealed: true, signed: true, seen: new Set<string>(), errors: new Set<string>() };
  expect(proofOf(facts)).toEqual({ level: 'none', not_proven: 'there is no record, so nothing is proven' });
});
