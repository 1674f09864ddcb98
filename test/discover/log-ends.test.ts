import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { eventsIn, eventsOfEnd } from '../../src/find/log-ends.ts';
import { bytesBetween, bytesOfEnds } from '../../src/log/bytes-between.ts';
import { AS_STORED } from '../../src/log/log-form.ts';
import { tempDir } from '../support/temp.ts';

/** A log of intact, damaged, blank and other lines. */
const log = fc
  .array(
    fc.constantFrom(
      '{"a":1}',
      '{"b":"\u{1F600}é"}',
      '',
      ' {"c":[]} \r',
      '{"d":',
      '7',
      '\u{FEFF}{"e":2}',
      '\0',
    ),
  )
  .map((lines) => Buffer.from(lines.join('\n')));

it('reads the records of an end from the last to the first', () => {
  fc.assert(
    fc.property(log, fc.nat(30), (bytes, from) => {
      const end = bytes.subarray(from);
      expect([...eventsOfEnd(end, AS_STORED)]).toEqual(eventsIn(end, AS_STORED, undefined, false).reverse());
    }),
  );
});

it('reads both ends of a file at once', () => {
  const path = join(tempDir(), 'log.jsonl');
  fc.assert(
    fc.property(log, fc.integer({ min: 1, max: 40 }), (bytes, most) => {
      writeFileSync(path, bytes);
      const from = Math.max(0, bytes.length - most);
      expect(bytesOfEnds(path, bytes.length, most)).toEqual([
        bytesBetween(path, 0, most),
        bytesBetween(path, from, from + most),
      ]);
    }),
  );
});
