import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indentInto } from '../../src/base/json/indent.ts';
import { parseExactJson } from '../../src/base/json/parse.ts';
import { writeJson } from '../../src/base/json/write.ts';
import { jsonPieces, type StoredTexts, WrittenObjects } from '../../src/base/json/written-objects.ts';

const textOf = (value: unknown, indent: number): string =>
  Buffer.concat([...jsonPieces(value, indent)].map((piece) => Buffer.from(piece))).toString();

const scalar = fc.constantFrom<unknown>(null, true, -1, 'a "text"', 'naïve 𝔘nit\n', parseExactJson('1.0'));
const value = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.dictionary(fc.string(), scalar));
const indent = fc.constantFrom(0, 2, 3);

/** Texts by number, of which those with an odd one cannot be copied. */
function textsOf(texts: readonly string[]): StoredTexts {
  return {
    copyText(number, into, at) {
      const bytes = Buffer.from(texts[number] ?? '');
      if (number % 2 === 1 || bytes.length > into.length - at) return -1;
      into.set(bytes, at);
      return bytes.length;
    },
  };
}

describe('JSON with a new layout', () => {
  const words = ['a', '1', '-1', '__proto__', 'naïve', 'a\\nb', ''];
  const json = fc.letrec<{ json: string }>((tie) => ({
    json: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(
        'null',
        'true',
        '1.0',
        '-0',
        '1E5',
        '12345678901234567890',
        '"a"',
        '"[1, {}"',
        '"\\u0041"',
        '""',
      ),
      fc.array(tie('json'), { maxLength: 3 }).map((items) => `[ ${items.join(', ')}\t]`),
      fc
        .uniqueArray(fc.tuple(fc.constantFrom(...words), tie('json')), {
          maxLength: 3,
          selector: ([key]) => key,
        })
        .map((members) => `{${members.map(([key, inner]) => `"${key}" :${inner}`).join(',')} }`),
    ),
  })).json;

  it('is the text of its value, or nothing', () => {
    let written = 0;
    fc.assert(
      fc.property(
        json,
        indent,
        fc.nat(3),
        fc.constantFrom(10_000, 10_000, 40),
        (text, columns, depth, room) => {
          const into = Buffer.alloc(room);
          const end = indentInto(Buffer.from(text), into, 2, columns, depth);
          const wanted = writeJson(parseExactJson(text), columns, depth);
          if (end !== -1) expect(into.toString('utf8', 2, end)).toBe(wanted);
          else expect(/\\|"1"/.test(text) || Buffer.byteLength(wanted) + 2 > room).toBe(true);
          if (end !== -1 && wanted.length > 20) written += 1;
        },
      ),
      { numRuns: 1000 },
    );
    expect(written).toBeGreaterThan(20);
  });
});

describe('JSON in pieces', () => {
  it('equals a complete write', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), value), indent, (object, columns) => {
        const nested = { a: object, b: undefined, c: { d: object, e: [object] } };
        expect(textOf(nested, columns)).toBe(writeJson(nested, columns));
      }),
    );
    for (const other of [null, [], {}, 'a', { a: undefined }])
      expect(textOf(other, 2)).toBe(writeJson(other, 2));
  });

  it('is the same with a list of objects that was written member by member', () => {
    const objects = fc.array(fc.dictionary(fc.string({ minLength: 1 }), value, { maxKeys: 4 }), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(objects, indent, fc.constantFrom(0, 1, 2), (list, columns, depth) => {
        const written = new WrittenObjects(columns, depth);
        for (const object of list) {
          for (const [key, member] of Object.entries(object))
            if (!written.copyJson(key, Buffer.from(writeJson(member)))) written.member(key, member);
          written.end();
        }
        const around = (inner: unknown) => [inner, { a: inner, z: 1 }, { a: { b: inner }, z: 1 }][depth];
        expect(written.length).toBe(list.length);
        expect(textOf(around(written), columns)).toBe(writeJson(around(list), columns));
      }),
    );
  });

  it('copies texts as they are stored, and reports if it cannot', () => {
    const long = 'x'.repeat(20_000);
    const texts = textsOf(['plain', 'refused', long, 'refused', 'ünd']);
    const written = new WrittenObjects(2, 0);
    const wanted: object[] = [];
    for (let count = 0; count < 300; count += 1) {
      const copied = ['a', 'b', 'c', 'd', 'e'].filter((key, number) => written.copy(key, texts, number));
      expect(copied).toContain('a');
      expect(copied).not.toContain('b');
      written.end();
      wanted.push(Object.fromEntries(copied.map((key) => [key, { a: 'plain', c: long, e: 'ünd' }[key]])));
    }
    expect(textOf(written, 2)).toBe(writeJson(wanted, 2));
  });
});
