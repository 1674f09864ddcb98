import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { accepts, automatonOf, bothAutomata, complementOf } from '../../src/log/schema/automaton.ts';
import { times } from '../support/length.ts';

const PATTERNS = [
  /^sha256:[0-9a-f]{3}$/,
  /^[a-z][a-z0-9]*(?:[.-][a-z0-9]+)+$/,
  /^(?:detect|analyze|act):/,
  /a|^b$|c$/,
  /^(a|bc)*d?$/,
  /^[^a-c\]]{2,}$/,
  /^\d{1,3}(?:\.\d+)?$/,
  /^\w+\s\S\D\W?$/,
  /^[\w.-]+?x$/,
  /^.\t?\n*$/,
  /^(?:x{2}|y{0,2}|z{1,})$/,
  /^$/,
  /^[-a]$/,
  /x/u,
  z.iso.datetime()._zod.def.pattern as RegExp,
  z.uuid()._zod.def.pattern as RegExp,
];

const piece = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    'bc',
    'c',
    'd',
    'x',
    'y',
    'z',
    '0',
    '12',
    '.',
    '-',
    ':',
    'sha256:',
    'act:',
    ' ',
    '\t',
    '\n',
    ']',
    'é',
    '😀',
  ),
  fc.string({ maxLength: 2 }),
);
const plain = fc.oneof(
  fc.array(piece, { maxLength: 6 }).map((parts) => parts.join('')),
  fc.uuid(),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
);

describe('an automaton', () => {
  it.each(PATTERNS)('of %s accepts what the expression matches, for all of ASCII', (pattern) => {
    const automaton = automatonOf(pattern);
    if (automaton === undefined) throw new Error('it is regular');
    fc.assert(
      fc.property(plain, (text) => {
        const accepted = accepts(automaton, Buffer.from(text));
        if (accepted) expect(text).toMatch(pattern);
        else if (/^[\x00-\x7f]*$/.test(text)) expect(text).not.toMatch(pattern);
      }),
      { numRuns: times(200, 40) },
    );
  });

  it.each([
    /a/i,
    /(?=a)b/,
    /\bword/,
    /(a)\1/,
    /é/,
    /a\u0041/,
    /[-z]|\p{L}/u,
    /[\d-z]/,
    /a(?<name>b)/,
    /(?:a{1,500}){1,500}/,
    /(?:a|b)*a(?:a|b){12}/,
    /a^b/,
    /(a$)b/,
  ])('is not made of %s', (pattern) => {
    expect(automatonOf(pattern)).toBeUndefined();
  });

  it('has a complement, and pairs have an automaton of what both accept', () => {
    const patterns = PATTERNS.map((pattern) => [pattern, automatonOf(pattern)] as const);
    fc.assert(
      fc.property(
        plain,
        fc.constantFrom(...patterns),
        fc.constantFrom(...patterns),
        (text, [a, one], [b, other]) => {
          if (one === undefined || other === undefined) throw new Error('they are regular');
          const bytes = Buffer.from(text);
          const isAscii = /^[\x00-\x7f]*$/.test(text);
          expect(accepts(complementOf(one), bytes)).toBe(isAscii && !a.test(text));
          const both = bothAutomata(one, complementOf(other));
          if (both) expect(accepts(both, bytes)).toBe(isAscii && a.test(text) && !b.test(text));
        },
      ),
      { numRuns: times(1000, 200) },
    );
  });
});

describe('an expression without an automaton', () => {
  it.each([/a$b/, /^a*{$/, /(?=a)a/, /^(a)\1$/, /é/, /^[é]$/, /a/i, /^(?:a{1,90}){1,90}$/])(
    '%s',
    (expression) => {
      expect(automatonOf(expression)).toBeUndefined();
    },
  );

  it('does not exist for two that together have too many states', () => {
    const every = (count: number) => automatonOf(new RegExp(`^(?:a{${count}})*$`));
    const [a, b] = [every(41), every(43)];
    if (a === undefined || b === undefined) throw new Error('each for itself has one');
    expect(bothAutomata(a, b)).toBeUndefined();
  });
});
