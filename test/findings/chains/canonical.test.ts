import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ValueIndex } from '../../../src/base/json/value-index.ts';
import { CanonicalWriter } from '../../../src/findings/chains/canonical.ts';
import {
  type Cut,
  CutNode,
  FORMS,
  type Form,
  type FormName,
  WHOLE,
} from '../../../src/findings/chains/forms.ts';
import { isAmbiguous, printedByJavaScript, printedByPython } from '../../../src/findings/chains/numbers.ts';

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

  it('print any spelling of a text or a number as its value, and note what is ambiguous', () => {
    const escapes = [
      '\\n',
      '\\"',
      '\\\\',
      '\\/',
      '\\b',
      '\\u000a',
      '\\u000A',
      '\\u001f',
      '\\u001F',
      '\\u000b',
      '\\u0008',
    ];
    const wide = [
      '\\u00e9',
      '\\u00E9',
      '\\ud83c\\udf89',
      '\\ud83c',
      '\\udf89',
      '\\ud83C\\udf89',
      '\\u2028',
      '\\u003c',
      '\\u003C',
    ];
    const others = [
      '\\u0041',
      '\\u007f',
      '\\u007e',
      '\\u0020',
      '\\uffff',
      'a',
      '<',
      '&',
      '/',
      '\u007f',
      'é',
      '\u2028',
      '🎉',
      'e\u0301',
    ];
    const string = fc
      .array(fc.constantFrom(...escapes, ...wide, ...others), { maxLength: 12 })
      .map((parts) => `"${parts.join('')}"`);
    const digits = (most: number) => fc.stringMatching(new RegExp(`^[0-9]{0,${most}}$`));
    const number = fc
      .tuple(
        fc.constantFrom('', '-'),
        digits(17),
        fc.option(digits(9)),
        fc.constantFrom('', '', '', 'e5', 'E-7', 'e+400'),
      )
      .map(([sign, whole, part, power]) => {
        const plain = whole.replace(/^0+(?=.)/, '') || '0';
        return `${sign}${plain}${part === null ? '' : `.${part || '0'}`}${power}`;
      });
    const space = fc.constantFrom('', ' ', '\t', '  ');
    const member = fc.tuple(
      fc.constantFrom('a', 'b', 'c\\n', 'd'),
      space,
      space,
      fc.oneof(string, number),
      space,
    );
    const textIn = (value: string, { strings }: Form, isNfc: boolean) => {
      if (strings === 'stored' && !isNfc) return value;
      const text = JSON.parse(value) as string;
      const plain = JSON.stringify(isNfc ? text.normalize('NFC') : text);
      const pattern =
        strings === 'ascii' ? /[\u007f-\uffff]/g : strings === 'go' ? /[<>&\u2028\u2029]/g : /(?!)/g;
      return plain.replace(pattern, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
    };
    const numberIn = (value: string, { numbers }: Form) =>
      numbers === 'stored'
        ? value
        : numbers === 'python'
          ? printedByPython(value)
          : printedByJavaScript(value);
    fc.assert(
      fc.property(
        fc.uniqueArray(member, { selector: ([name]) => name, maxLength: 4 }),
        fc.constantFrom(...Object.values<Form>(FORMS)),
        fc.boolean(),
        (members, form, isNfc) => {
          const text = `{${members.map(([name, before, after, value, last]) => `"${name}"${before}:${after}${value}${last}`).join(',')}}`;
          const bytes = Buffer.from(text);
          const writer = new CanonicalWriter();
          writer.json(new ValueIndex(bytes, 0, bytes.length), 0, form, { ...WHOLE, isNfc });
          const [comma, colon] = form.spaced === true ? [', ', ': '] : [',', ':'];
          const sorted = form.order === 'stored' ? members : members.toSorted(([a], [b]) => (a < b ? -1 : 1));
          const expected = sorted.map(([name, , , value]) => {
            const right = value.startsWith('"') ? textIn(value, form, isNfc) : numberIn(value, form);
            return `${textIn(`"${name}"`, form, isNfc)}${colon}${right}`;
          });
          expect(writer.bytes.toString()).toBe(`{${expected.join(comma)}}`);
          const isHalf = ([, , , value]: (typeof members)[number]) =>
            value.startsWith('"') && !(JSON.parse(value) as string).isWellFormed();
          if (form.strings !== 'stored' || isNfc)
            expect(writer.ambiguities.has('surrogate')).toBe(members.some(isHalf));
          const literals = members.map(([, , , value]) => value).filter((value) => !value.startsWith('"'));
          if (form.numbers !== 'stored')
            expect(writer.ambiguities.has('number')).toBe(literals.some(isAmbiguous));
        },
      ),
      { numRuns: 500 },
    );
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
