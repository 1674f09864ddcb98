import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ValueIndex } from '../../../src/base/json/value-index.ts';
import { CanonicalWriter } from '../../../src/findings/chains/canonical.ts';
import { cutOf } from '../../../src/findings/chains/digest.ts';
import { FORMS, type FormName } from '../../../src/findings/chains/forms.ts';
import { printingOf } from '../../../src/findings/chains/printing.ts';
import { AS_STORED } from '../../../src/log/log-form.ts';
import { LogParser } from '../../../src/log/parser.ts';
import { RowSource } from '../../../src/log/row.ts';

/** How a writer prints a record, and how the accelerator does; undefined if it leaves the record to the writer. */
interface Printed {
  readonly expected: string;
  readonly printed: string | undefined;
  readonly isAmbiguous: boolean;
}

/** Prints each record of a log in both ways. */
function printedRecords(log: string, form: FormName, without: readonly string[] = []): Printed[] {
  const table = { without: without.length === 0 ? undefined : [...without] };
  const printing = printingOf(FORMS[form], table);
  const source = RowSource.open(AS_STORED);
  const all: Printed[] = [];
  const parser = new LogParser(source, {
    row: (row) => {
      const { bytes, valueStart, valueEnd } = row.record;
      const writer = new CanonicalWriter();
      writer.json(new ValueIndex(bytes, valueStart, valueEnd), 0, FORMS[form], cutOf(table));
      const printed = printing && row.printed(printing);
      all.push({
        expected: writer.bytes.toString(),
        printed: printed && Buffer.from(printed).toString(),
        isAmbiguous: writer.ambiguities.size > 0,
      });
    },
    corrupt: ({ message }) => expect.fail(message),
  });
  parser.filled(Buffer.from(log).copy(parser.room()));
  parser.end();
  source.close();
  return all;
}

const NAMES = Object.keys(FORMS) as FormName[];

const piece = fc.constantFrom(
  ...['a', 'z', '0', ' ', '/', '<', '\u007f', 'é', '\u2028', '\ue000', '🎉', 'e\u0301', 'x'.repeat(40)],
  ...['\\n', '\\"', '\\\\', '\\/', '\\u0000', '\\u000a', '\\u001f', '\\u001F', '\\u0041', '\\u007f'],
  ...['\\u00e9', '\\u00E9', '\\ud83c\\udf89', '\\ud83c', '\\udf89', '\\u2028'],
);
const string = fc.array(piece, { maxLength: 6 }).map((pieces) => `"${pieces.join('')}"`);
const key = fc.oneof(
  fc.constantFrom('a', 'b', 'ab', 'hash', 'é', '\ue000', '🎉', '', 'x'.repeat(30)),
  fc.string({ unit: fc.constantFrom('a', 'b', 'é', '🎉'), maxLength: 4 }),
);
const number = fc.oneof(
  fc.constantFrom(
    '0',
    '-0',
    '-1',
    '0.5',
    '0.05',
    '-2.50',
    '49.0',
    '1e5',
    '1E-7',
    '123456789012345',
    '0.1234567',
  ),
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
);
const space = fc.constantFrom('', '', '', ' ', '\t ');
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    string,
    number,
    fc.constantFrom('null', 'true', 'false'),
    fc
      .array(fc.tuple(space, tie('value'), space), { maxLength: 3 })
      .map((items) => `[${items.map((one) => one.join('')).join(',')}]`),
    tie('object'),
  ),
  object: fc
    .uniqueArray(fc.tuple(key, space, space, tie('value'), space), {
      selector: ([name]) => name,
      maxLength: 6,
    })
    .map(
      (members) =>
        `{${members.map(([name, before, after, inner, end]) => `"${name}"${before}:${after}${inner}${end}`).join(',')}}`,
    ),
}));
const record = fc
  .uniqueArray(fc.tuple(key, space, value), { selector: ([name]) => name, maxLength: 9 })
  .map((members) => `{${members.map(([name, before, inner]) => `"${name}":${before}${inner}`).join(',')}}`);

describe('the accelerator prints a record', () => {
  it('as the writer prints it, or leaves it to the writer', () => {
    const counts = { printed: 0, left: 0 };
    fc.assert(
      fc.property(
        fc.array(record, { minLength: 1, maxLength: 8 }),
        fc.constantFrom(...NAMES),
        fc.subarray(['a', 'hash', 'ab', 'x'.repeat(30)]),
        (records, form, without) => {
          for (const { expected, printed, isAmbiguous } of printedRecords(
            records.map((one) => `${one}\n`).join(''),
            form,
            without,
          )) {
            counts[printed === undefined ? 'left' : 'printed'] += 1;
            if (printed === undefined) continue;
            expect(printed).toBe(expected);
            // The writer notes it, so it must see the record.
            expect(isAmbiguous).toBe(false);
          }
        },
      ),
      { numRuns: 400 },
    );
    expect(counts.printed).toBeGreaterThan(200);
    expect(counts.left).toBeGreaterThan(100);
  });

  it.each(
    (
      JSON.parse(
        readFileSync(new URL('../../samples/chains/canonical.json', import.meta.url), 'utf8'),
      ) as readonly { readonly name: string; readonly form: FormName; readonly input: string }[]
    ).map(({ name, form, input }) => [name, form, input] as const),
  )('of the published vector %s', (_, form, input) => {
    // The lines of a log are objects.
    for (const { expected, printed } of printedRecords(`{"value":${input.replaceAll('\n', ' ')}}\n`, form))
      if (printed !== undefined) expect(printed).toBe(expected);
  });

  it.each([
    [
      'sorted',
      '{"z":"a\\n","hash":"x","b":{"d":-1.5,"c":[true,null]}}',
      '{"b":{"c":[true,null],"d":-1.5},"z":"a\\n"}',
    ],
    ['sorted-python', '{"z":"é","hash":"x","a":[1, 2]}', '{"a": [1, 2], "z": "\\u00e9"}'],
    ['insertion', '{ "z" : 1 , "hash" : 2 , "a" : "é" }', '{"z":1,"a":"é"}'],
    ['stored', '{"z":1.0e0,"hash":2,"a":"\\u0041"}', '{"z":1.0e0,"a":"\\u0041"}'],
  ] as const)('in the form %s', (form, stored, text) => {
    expect(printedRecords(`${stored}\n`, form, ['hash'])).toMatchObject([{ printed: text }]);
  });

  it.each([
    ['more members than it sorts', `{${Array.from({ length: 65 }, (_, at) => `"k${at}":1`).join(',')}}`],
    ['more bytes than it prints', `{"a":"${'x'.repeat(70_000)}"}`],
    ['a number that programs print differently', '{"a":1.0}'],
    ['half a character', '{"a":"\\ud83c"}'],
  ])('but not one with %s', (_, stored) => {
    expect(printedRecords(`${stored}\n`, 'sorted')).toMatchObject([{ printed: undefined }]);
  });

  it('only if no name of a member that is left out could be stored with an escape', () => {
    for (const name of ['a"b', 'a\\b', 'é', 'a\n', '', 'a.b'])
      expect(printingOf(FORMS.sorted, { without: [name] })).toBeUndefined();
    expect(printingOf(FORMS.sorted, { without: ['a', 'b-c'] })).toMatchObject({ without: ['a', 'b-c'] });
  });
});
