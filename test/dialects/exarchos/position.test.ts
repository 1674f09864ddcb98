import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parsePosition } from '../../../src/dialects/exarchos/identity.ts';
import { times } from '../../support/length.ts';

/** A number of at most fifteen digits, and before it a stream and a separator, where it has one. */
const POSITION = /^(?:(.+)[:#@/])?(\d{1,15})$/;

it('a reference is read by the pattern of its position', () => {
  const piece = fc.constantFrom(
    'a',
    'feature-x',
    ':',
    '#',
    '@',
    '/',
    '1',
    '042',
    '999999999999999',
    '\n',
    ' ',
    '٣',
    '-',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const match = POSITION.exec(pieces.join(''));
      const expected = match === null ? undefined : { stream: match[1], sequence: Number(match[2]) };
      expect(parsePosition(pieces.join(''))).toEqual(expected);
    }),
    { numRuns: times(2000, 400) },
  );
});
