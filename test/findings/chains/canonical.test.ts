import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ValueIndex } from '../../../src/base/json/value-index.ts';
import {
  CanonicalWriter,
  type Cut,
  CutNode,
  FORMS,
  type Form,
  type FormName,
  WHOLE,
} from '../../../src/findings/chains/canonical.ts';
import { isAmbiguous } from '../../../src/findings/chains/numbers.ts';

interface Vector {
  readonly name: string;
  readonly form: FormName;
  readonly input: string;
  readonly canonical: string;
  readonly set?: Readonly<Record<string, string>>;
  readonly sha256?: string;
}

const VECTORS = JSON.parse(
  readFileSync(new URL('../../samples/chains/canonical.json', import.meta.url), 'utf8'),
) as readonly Vector[];

function printed(text: string, form: Form, cut: Cut = WHOLE): string {
  const bytes = Buffer.from(text);
  const writer = new CanonicalWriter();
  writer.json(new ValueIndex(bytes, 0, bytes.length), 0, form, cut);
  return writer.bytes.toString();
}

function cutOf(set: Readonly<Record<string, string>> = {}): Cut {
  const root = new CutNode();
  for (const [name, value] of Object.entries(set)) root.at([name]).instead = JSON.stringify(value);
  return { ...WHOLE, root };
}

describe('the canonical forms', () => {
  it.each(VECTORS.map((vector) => [vector.name, vector] as const))(
    'print the published vector %s',
    (_, { form, input, canonical, set, sha256 }) => {
      const text = printed(input, FORMS[form], cutOf(set));
      expect(text).toBe(canonical);
      if (sha256 !== undefined) expect(hash('sha256', text, 'hex')).toBe(sha256);
    },
  );

  it('print members alike, whatever is around them and however long they are', () => {
    const text = fc
      .tuple(
        fc.nat(80),
        fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', 'é', '\u007f', '<', '🎉'), maxLength: 8 }),
        fc.nat(40),
      )
      .map(([before, middle, after]) => 'x'.repeat(before) + middle + 'y'.repeat(after));
    const member = fc.oneof(text, fc.integer(), fc.constant(null), fc.array(text, { maxLength: 2 }));
    const record = fc.dictionary(
      fc.constantFrom(...'abcdefgh'),
      fc.oneof(member, fc.object({ maxDepth: 1 })),
      {
        noNullPrototype: true,
      },
    );
    const sortedKeys = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(sortedKeys)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .map(([key, inner]) => [key, sortedKeys(inner)] as const)
                .toSorted(([a], [b]) => (a < b ? -1 : 1)),
            )
          : value;
    const hasDigits = (value: object) => /"\d+":/.test(JSON.stringify(value));
    fc.assert(
      fc.property(record, fc.boolean(), (value, isSpaced) => {
        fc.pre(!hasDigits(value));
        const stored = JSON.stringify(value, null, isSpaced ? 1 : 0);
        expect(printed(stored, FORMS.insertion)).toBe(JSON.stringify(value));
        expect(printed(stored, FORMS.sorted)).toBe(JSON.stringify(sortedKeys(value)));
        expect(JSON.parse(printed(stored, FORMS['sorted-python']))).toEqual(JSON.parse(stored));
        expect(printed(stored, FORMS['sorted-python'])).toMatch(/^[ -~]*$/);
      }),
    );
  });

  it.each([
    ['go', '{"b":"<a> & \u2028","a":1.0}', '{"b":"\\u003ca\\u003e \\u0026 \\u2028","a":1.0}'],
    ['go-sorted', '{"b":[{"d":1, "c":2}],"a":"é"}', '{"a":"é","b":[{"c":2,"d":1}]}'],
    ['insertion', '{ "b" : 1.0, "a" : "\\u0041\\/" }', '{"b":1,"a":"A/"}'],
    ['stored', '{ "b" : 1.0e0, "a" : "\\u0041\\/" }', '{"b":1.0e0,"a":"\\u0041\\/"}'],
    ['sorted-python-utf8', '{"b":"é\u007f","a":[]}', '{"a": [], "b": "é\u007f"}'],
    ['sorted-python-compact', '{"b":1e400,"a":[1, 2]}', '{"a":[1,2],"b":Infinity}'],
    ['sorted', '{"b":{"é":1,"z":2},"a":null}', '{"a":null,"b":{"z":2,"é":1}}'],
  ] as const)('print %s', (form, input, canonical) => {
    expect(printed(input, FORMS[form])).toBe(canonical);
  });

  it('sort keys that are written with escapes, and keys that begin with each other', () => {
    const text = '{"ab":1,"a":2,"\\u0061\\u0000":3,"\\ud83c\\udf89":4,"\\ue000":5}';
    expect(Object.keys(JSON.parse(printed(text, FORMS.jcs)) as object)).toEqual([
      'a',
      'a\0',
      'ab',
      '🎉',
      '\ue000',
    ]);
    expect(Object.keys(JSON.parse(printed(text, FORMS['go-sorted'])) as object).slice(-2)).toEqual([
      '\ue000',
      '🎉',
    ]);
  });

  it('normalise strings to NFC where the program does', () => {
    const cut = { ...WHOLE, isNfc: true };
    expect(printed('{"a":"e\u0301","b":"e\\u0301"}', FORMS.sorted, cut)).toBe('{"a":"é","b":"é"}');
  });

  it('leave out nulls but for those that the program keeps', () => {
    const root = new CutNode();
    root.at(['c', 'kept']).keepsNull = true;
    const text = printed('{"a":null,"c":{"kept":null,"other":null}}', FORMS.jcs, {
      ...WHOLE,
      root,
      dropsNull: true,
    });
    expect(text).toBe('{"c":{"kept":null}}');
  });

  it('print only the members that a profile lists, in its order, and sort below one of them', () => {
    const root = new CutNode();
    root.at(['p']).isSorted = true;
    const text = printed(
      '{"a":1,"p":{"z":[{"d":1,"c":2}],"b":{"y":1,"x":2}},"q":{"b":1,"a":2}}',
      FORMS.stored,
      {
        ...WHOLE,
        root,
        only: ['q', 'p'],
      },
    );
    expect(text).toBe('{"q":{"b":1,"a":2},"p":{"b":{"x":2,"y":1},"z":[{"c":2,"d":1}]}}');
  });

  it('print what JSON.stringify prints, for any value with sorted keys', () => {
    const sorted = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(sorted);
      if (typeof value !== 'object' || value === null) return value;
      const keys = Object.keys(value).sort();
      return new Map(keys.map((key) => [key, sorted((value as Record<string, unknown>)[key])]));
    };
    const text = (value: unknown): string => {
      if (value instanceof Map)
        return `{${[...value].map(([key, inner]) => `${JSON.stringify(key)}:${text(inner)}`).join(',')}}`;
      return Array.isArray(value) ? `[${value.map(text).join(',')}]` : JSON.stringify(value);
    };
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary', maxDepth: 4 }), fc.nat(4), (value, indent) => {
        expect(printed(JSON.stringify(value, undefined, indent), FORMS.jcs)).toBe(text(sorted(value)));
      }),
    );
  });

  it('print a value of a thousand levels', () => {
    const text = `${'[{"a":'.repeat(499)}1${'}]'.repeat(499)}`;
    expect(printed(text, FORMS.jcs)).toBe(text);
  });
});

describe('a number', () => {
  it.each(['9007199254740993', '-0', '49.0', '1e-7', '1e16', '6.02214076e23', '0.00001', '1e400'])(
    '%s is ambiguous, because programs print it differently',
    (number) => expect(isAmbiguous(number)).toBe(true),
  );
  it.each(['0', '-17', '2.5', '1770480398.0565488', '9007199254740991'])('%s is not', (number) =>
    expect(isAmbiguous(number)).toBe(false),
  );
});
