import { afterEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { useAccelerator } from '../../src/log/accelerator/use.ts';
import { LogForm } from '../../src/log/log-form.ts';
import { LogParser } from '../../src/log/parser.ts';
import { RowSource } from '../../src/log/row.ts';
import { layoutOf } from '../../src/log/row-layout.ts';
import { shapeOf } from '../../src/log/schema/zod-shape.ts';

/** Which of the lines the accelerator accepts where a record must be as the schema says. */
function accepted(schema: z.ZodType, lines: readonly string[]): boolean[] {
  useAccelerator('always');
  const source = RowSource.open(
    LogForm.stored(layoutOf(undefined, { id: 'id' }, [], () => [shapeOf(schema)])),
  );
  const found: boolean[] = [];
  const parser = new LogParser(source, {
    row: ({ isAccepted }) => found.push(isAccepted),
    corrupt: ({ message }) => expect.fail(message),
  });
  const bytes = Buffer.from(`${lines.join('\n')}\n`);
  for (let at = 0; at < bytes.length; ) {
    const count = bytes.copy(parser.room(), 0, at);
    parser.filled(count);
    at += count;
  }
  parser.end();
  source.close();
  return found;
}

afterEach(() => useAccelerator('always'));

describe('the table of a schema', () => {
  test.each<[string, z.ZodType, string[], string[]]>([
    [
      'knows bounds that are themselves allowed',
      z.object({ n: z.number().min(0).max(1) }),
      ['{"n":0}', '{"n":0.5}', '{"n":1}'],
      ['{"n":-0.5}', '{"n":1.5}'],
    ],
    [
      'knows bounds that are not allowed',
      z.object({ n: z.number().gt(0).lt(1) }),
      ['{"n":0.5}'],
      ['{"n":0}', '{"n":1}', '{"n":-1}', '{"n":2}'],
    ],
    [
      'knows one pattern at two places',
      (() => {
        const code = z.string().regex(/^[a-z]+$/);
        return z.object({ one: code, two: code.optional(), list: z.array(code.min(2)).optional() });
      })(),
      ['{"one":"a"}', '{"one":"a","two":"b","list":["ab"]}'],
      ['{"one":"A"}', '{"one":"a","two":"B"}', '{"one":"a","list":["a"]}', '{"one":"a","list":["A1"]}'],
    ],
    [
      'knows texts and lists of any length, and of some',
      z.object({ text: z.string().min(2), list: z.array(z.int()).min(1), few: z.array(z.int()).max(1) }),
      ['{"text":"ab","list":[1,2,3],"few":[]}'],
      [
        '{"text":"a","list":[1],"few":[]}',
        '{"text":"ab","list":[],"few":[]}',
        '{"text":"ab","list":[1],"few":[1,2]}',
      ],
    ],
    [
      'takes nothing where a key must be there that JSON has to escape',
      z.object({ 'a"b': z.string() }),
      [],
      ['{"a\\"b":"x"}', '{}'],
    ],
    [
      'takes nothing of more keys than it can tell apart',
      z.object(Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`k${n}`, z.int().optional()]))),
      [],
      ['{}', '{"k1":1}', '{"k64":"no number"}'],
    ],
  ])('%s', (_, schema, taken, left) => {
    for (const line of taken) expect(schema.safeParse(JSON.parse(line)).success, line).toBe(true);
    expect(accepted(schema, [...taken, ...left])).toEqual([
      ...taken.map(() => true),
      ...left.map(() => false),
    ]);
  });

  test('is used again after a line that is too long for the accelerator', () => {
    const short = '{"n":0.5}';
    const long = `{"n":0.5,"text":"${'x'.repeat(3 * 1024 * 1024)}"}`;
    const schema = z.looseObject({ n: z.number() });
    const found = accepted(schema, [short, long, ...Array.from({ length: 400_000 }, () => short)]);
    expect(found).toHaveLength(400_002);
    expect([found[0], found.at(-1)]).toEqual([true, true]);
  });
});
