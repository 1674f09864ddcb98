import { expect, test } from 'vitest';
import { proofOf } from '../../src/findings/level.ts';

const sealedFacts = {
  events: 1,
  sealed: true,
  signed: true,
  isStateOpen: false,
  seen: new Set<string>(),
  errors: new Set<string>(),
};

test('a state that differs is no consistent one, whatever severity the difference has', () => {
  const levelWith = (code: string) => proofOf({ ...sealedFacts, seen: new Set([code]) }).level;
  expect(levelWith('projection/state')).toBe('readable');
  expect(levelWith('projection/not-derivable')).toBe('signed');
});

test('a state of which something was left out of the comparison proves no agreement', () => {
  expect(proofOf({ ...sealedFacts, isStateOpen: true })).toEqual({
    level: 'readable',
    not_proven: 'not all of the state was compared, so it may contradict the log',
  });
});

test('a log without a record proves nothing', () => {
  const facts = { ...sealedFacts, events: 0 };
  expect(proofOf(facts)).toEqual({ level: 'none', not_proven: 'there is no record, so nothing is proven' });
});
