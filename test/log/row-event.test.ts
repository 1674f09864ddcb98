import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json/value.ts';
import { useAccelerator } from '../../src/log/accelerator/use.ts';
import { LogForm } from '../../src/log/log-form.ts';
import { LogParser } from '../../src/log/parser.ts';
import { RowSource } from '../../src/log/row.ts';
import { columnsBehind, eventBehind } from '../../src/log/row-event.ts';
import { layoutOf } from '../../src/log/row-layout.ts';
import { times } from '../support/length.ts';

afterEach(() => useAccelerator('always'));

const layout = layoutOf(
  'type',
  {
    type: ['type', 'word'],
    id: ['id', 'id'],
    n: ['n', 'number'],
    message: 'message',
    model: ['message.model', 'word'],
    content: 'message.content',
    block: 'message.content.0',
    kind: ['message.content.0.type', 'word'],
    call: 'message.content.0.id',
    second: 'message.content.1',
    completed: 'metrics.completed_at',
    pairs: ['pairs', 'others'],
  },
  [['a', () => []]],
);

/** The result of a reader for each record, copied while it is valid. */
function readAll(records: readonly JsonObject[], use: 'always' | 'never', read = columnsBehind): unknown[] {
  useAccelerator(use);
  const found: unknown[] = [];
  const rows = RowSource.open(LogForm.stored(layout));
  const parser = new LogParser(rows, {
    row: (row) => found.push(structuredClone({ ...read(row) })),
    corrupt: () => expect.unreachable(),
  });
  parser.filled(Buffer.from(records.map((one) => `${JSON.stringify(one)}\n`).join('')).copy(parser.room()));
  rows.close();
  return found;
}

const plain = fc.constantFrom<unknown>('x', '', null, 1, true, {}, []);
const block = fc.record({ type: plain, id: plain, input: plain }, { requiredKeys: [] });
const content = fc.oneof(
  plain,
  block,
  fc.array(fc.oneof(block, plain), { maxLength: 3 }),
  fc.constant({ 0: 'a' }),
);
const message = fc.oneof(plain, fc.record({ model: plain, content, more: plain }, { requiredKeys: [] }));
const metrics = fc.oneof(plain, fc.record({ completed_at: plain, more: plain }, { requiredKeys: [] }));
const record = fc.record(
  { type: fc.constantFrom('a', 'b', 5), id: plain, n: plain, message, metrics },
  { requiredKeys: [] },
);

describe('a record with columns', () => {
  it('is the same with the accelerator and without', () => {
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 6 }), (records) => {
        const events = records as unknown as JsonObject[];
        expect(readAll(events, 'always')).toEqual(readAll(events, 'never'));
      }),
      { numRuns: times(300, 60) },
    );
  });

  it.each(['always', 'never'] as const)(
    'has of a list the one item that has columns, and else the list (%s)',
    (use) => {
      const of = (inner: unknown) =>
        [{ type: 'a', message: { model: 'm', content: inner, more: 1 } }] as never;
      const [one] = readAll(of([{ type: 't', id: 'i', input: 'long' }]), use);
      expect(one).toMatchObject({ message: { model: 'm', content: [{ type: 't', id: 'i' }] } });
      expect(JSON.stringify(one)).not.toMatch(/long|more/);
      const two = [{ type: 't', input: 1 }, { type: 'u' }];
      expect(readAll(of(two), use)).toMatchObject([{ message: { content: two } }]);
      expect(readAll(of('text'), use)).toMatchObject([{ message: { content: 'text' } }]);
      expect(readAll(of([]), use)).toMatchObject([{ message: { content: [] } }]);
      expect(readAll(of(['text']), use)).toMatchObject([{ message: { content: ['text'] } }]);
    },
  );

  it.each(['always', 'never'] as const)('has members of an object that is no column (%s)', (use) => {
    const of = (metrics: unknown) => readAll([{ type: 'a', metrics }] as never, use);
    expect(of({ completed_at: 'now', more: 1 })).toMatchObject([{ metrics: { completed_at: 'now' } }]);
    expect(of('text')).toMatchObject([{ metrics: { completed_at: undefined } }]);
  });

  it('keeps whole members only for its root', () => {
    const events = [{ type: 'a', message: { model: 'm', more: { deep: [1] } } }] as never;
    expect(readAll(events, 'always', eventBehind)).toMatchObject([{ message: { more: { deep: [1] } } }]);
  });
});
