import { expect, test } from 'vitest';
import { proofOf } from '../../src/findings/level.ts';

const sealedFacts = {
  events: 1,
  sealed: true,
  signed: true,
  isStateOpen: false,
  seen: new Set<string>(),
  errors: new Set<string>(),
  faults: new Set<string>(),
};

test('a state that differs is not consistent, whatever the severity', () => {
  const levelWith = (code: string) => proofOf({ ...sealedFacts, seen: new Set([code]) }).level;
  expect(levelWith('projection/state')).toBe('readable');
  expect(levelWith('projection/not-derivable')).toBe('signed');
});

test.each(['consistency/task', 'checkpoint/mismatch', 'sequence/counter'])(
  'files that contradict each other are not consistent, even if %s is a warning',
  (code) => {
    const seen = new Set([code]);
    expect(proofOf({ ...sealedFacts, seen, faults: seen }).level).toBe('readable');
    // An info names what every honest run of a program has.
    expect(proofOf({ ...sealedFacts, seen }).level).toBe('signed');
  },
);

test('a state that was only partly compared proves no agreement', () => {
  expect(proofOf({ ...sealedFacts, isStateOpen: true })).toEqual({
    level: 'readable',
    notProven: 'not all of the state was compared, so it may contradict the log',
  });
});

test('a log without a record proves nothing', () => {
  const facts = { ...sealedFacts, events: 0 };
  expect(proofOf(facts)).toEqual({ level: 'none', notProven: 'there is no record' });
});
