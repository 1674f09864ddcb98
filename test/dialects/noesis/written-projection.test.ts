import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { parseExactJson } from '../../../src/base/json/parse.ts';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { writeJson } from '../../../src/base/json/write.ts';
import { jsonPieces } from '../../../src/base/json/written-objects.ts';
import { NoesisProjector } from '../../../src/dialects/noesis/state/projection.ts';
import { WrittenProjection } from '../../../src/dialects/noesis/state/written-projection.ts';
import type { RecordFold } from '../../../src/findings/projection/projector.ts';
import { useAccelerator } from '../../../src/log/accelerator/use.ts';
import { LogForm } from '../../../src/log/log-form.ts';
import { LogParser } from '../../../src/log/parser.ts';
import { RowSource } from '../../../src/log/row.ts';
import { times } from '../../support/length.ts';

afterEach(() => useAccelerator('always'));

/** Values that are not texts keep their JSON. */
const stored = fc.constantFrom(
  ...[
    '""',
    '"ok"',
    '"a \\"quoted\\" \\u0041"',
    '"\\ud800"',
    '"naïve 𝔘"',
    'null',
    '1.0',
    '12345678901234567890',
  ],
  ...['true', '{}', '{ }', '[]', '[1.50,{"b" :  2}]', '{"2":1,"1":2}', '-0', '1e400'],
);
const NAMES = ['kind', 'tool', 'input_excerpt', 'result_status', 'outcome', 'step_id', 'step_status'];
const MORE = ['synthetic', 'provenance', 'result_artifacts', 'x-more', '\\u0078-more', 'x-', 'other', 'kind'];
const payload = fc
  .tuple(
    fc.oneof({ weight: 5, arbitrary: fc.constant('"act-1"') }, stored),
    fc.array(fc.tuple(fc.constantFrom(...NAMES, ...NAMES, ...MORE), stored), { maxLength: 6 }),
  )
  .map(([id, members]) => {
    const all = [['action_id', id], ...members].map(([key, value]) => `"${key}":${value}`);
    return `{${all.join(',')}}`;
  });
const time = fc.constantFrom(
  '"timestamp":"2026-03-01T10:42:00Z",',
  '"timestamp":null,',
  '"metrics":{"completed_at":"x"},',
  '',
);
const act = fc
  .tuple(fc.oneof({ weight: 9, arbitrary: payload }, stored), time)
  .map(([inner, when]) => `{"phase":"act","id":"e",${when}"payload":${inner}}`);
const other = fc.constantFrom(
  '{"phase":"plan","payload":{"step_records":[{"id":"ok","cost":1.0}]}}',
  '{"phase":"interpret","payload":{"action_id":"act-1"}}',
  '{"phase":"runtime","event_type":"tool.x","payload":{"kind":"terminate"}}',
  '{"phase":"runtime","event_type":"run.state_projection","payload":{"outcomes":{"status":"ok","metrics":{"a":1.0}},"links":{}}}',
  '{"phase":5}',
);
const log = fc
  .array(fc.oneof({ weight: 4, arbitrary: act }, other), { maxLength: 12 })
  .map((lines) =>
    ['{"phase":"start","episode_id":"ep","payload":{}}', ...lines].map((line) => `${line}\n`).join(''),
  );

function folded<Fold extends RecordFold>(text: string, fold: Fold): Fold {
  const rows = RowSource.open(LogForm.stored(fold.layout));
  const parser = new LogParser(rows, {
    row: (row) => fold.addRow?.(row),
    corrupt: () => expect.unreachable(),
  });
  parser.filled(Buffer.from(text).copy(parser.room()));
  rows.close();
  return fold;
}

it('the state that is written while a log is read matches its events, with and without the accelerator', () => {
  fc.assert(
    fc.property(log, (text) => {
      const projector = new NoesisProjector();
      for (const [index, line] of text.trimEnd().split('\n').entries())
        projector.addEvent(parseExactJson(line) as JsonObject, index + 1);
      const wanted = projector.result();
      for (const use of ['always', 'never'] as const) {
        useAccelerator(use);
        const { value, underivable } = folded(text, new WrittenProjection(2)).result();
        const written = Buffer.concat([...jsonPieces(value, 2)].map((piece) => Buffer.from(piece)));
        expect(written.toString()).toBe(Buffer.from(writeJson(wanted.value, 2)).toString());
        expect(underivable).toEqual(wanted.underivable);
        expect(writeJson(folded(text, new NoesisProjector()).result().value)).toBe(writeJson(wanted.value));
      }
    }),
    { numRuns: times(500, 100) },
  );
});
