import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { parseExactJson } from '../../../src/base/json/parse.ts';
import { type JsonObject, jsonEqual } from '../../../src/base/json/value.ts';
import { actionOf } from '../../../src/dialects/noesis/act/act-event.ts';
import { ActRow } from '../../../src/dialects/noesis/act/act-row.ts';
import { LAYOUT } from '../../../src/dialects/noesis/event/rows.ts';
import { isMirroredBy } from '../../../src/dialects/noesis/state/projection.ts';
import { useAccelerator } from '../../../src/log/accelerator/use.ts';
import { LogForm } from '../../../src/log/log-form.ts';
import { LogParser } from '../../../src/log/parser.ts';
import { RowSource } from '../../../src/log/row.ts';
import { times } from '../../support/length.ts';

afterEach(() => useAccelerator('always'));

/** The last two have the same bytes, one as UTF-8 and one as Latin-1. */
const WORDS = ['ok', '', 'step-1', 'naïve 𝔘nit', 'a "quoted" \\ text', 'a text', 'a test', 'é', 'Ã©'];
const text = fc.constantFrom(...WORDS);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const textOrNull = maybe(fc.oneof({ weight: 4, arbitrary: text }, fc.constant(null)));
const value = maybe(fc.constantFrom({}, [], null, false, { a: 1 }, { a: 1.0, b: [null] }, [{ uri: 'x' }], 0));
const payload = fc.record(
  {
    action_id: fc.oneof({ weight: 6, arbitrary: text }, fc.constant(undefined)),
    kind: textOrNull,
    tool: textOrNull,
    input_excerpt: text,
    outcome: text,
    result_status: textOrNull,
    step_id: textOrNull,
    step_status: maybe(fc.constantFrom('done', null)),
    synthetic: fc.option(fc.boolean(), { nil: undefined, freq: 8 }),
    provenance: maybe(fc.constantFrom({}, null, { a: 1 }, { a: 1, b: [null] })),
    result_artifacts: maybe(fc.constantFrom([], null, [{ uri: 'x' }], [{}])),
    'x-more': maybe(fc.constantFrom(null, 1, { deep: ['x'] })),
    more: maybe(fc.constant('told to nobody')),
  },
  { requiredKeys: ['input_excerpt', 'outcome'] },
);

/** An action as some state holds it: the projected one, or that with one member changed, added or taken away. */
const stored = (action: JsonObject) =>
  fc.oneof(
    fc.constant(action),
    fc
      .tuple(
        fc.constantFrom('id', 'kind', 'timestamp', 'step_id', 'provenance', 'x-more', 'result_status', 'y'),
        value,
      )
      .map(([key, changed]) => {
        const { [key]: _, ...rest } = action;
        return changed === undefined ? rest : { ...rest, [key]: changed as JsonObject };
      }),
    text.map((changed) => ({ ...action, input_excerpt: changed })),
  );

const cases = fc.array(
  payload.chain((inner) => {
    const event = JSON.parse(
      JSON.stringify({
        id: 'e1',
        phase: 'act',
        agent_id: 'a',
        caused_by: 'e0',
        episode_id: 'ep',
        evidence_ids: [],
        timestamp: '2026-03-01T10:42:00.034Z',
        payload: inner,
      }),
    ) as JsonObject;
    const found = actionOf(event);
    const action = found && Object.hasOwn(found, 'id') ? found : undefined;
    return stored(action ?? { id: 'ok', timestamp: '2026-03-01T10:42:00.034Z' }).map((mirror) => ({
      event,
      action,
      mirror,
    }));
  }),
  { minLength: 1, maxLength: 10 },
);

it('an act mirrors a stored action only if its projection equals it, and then usually', () => {
  useAccelerator('always');
  let known = 0;
  let equal = 0;
  fc.assert(
    fc.property(cases, (acts) => {
      const rows = RowSource.open(LogForm.stored(LAYOUT));
      let next = 0;
      const parser = new LogParser(rows, {
        row(row) {
          const { action, mirror } = acts[next++] ?? {};
          const isEqual = action !== undefined && jsonEqual(action, mirror);
          const isKnown = row.isAccepted && isMirroredBy(new ActRow(row, false), mirror ?? {});
          if (isKnown) expect(isEqual, JSON.stringify([row.event, mirror])).toBe(true);
          if (isEqual && row.isAccepted) equal += 1;
          if (isKnown) known += 1;
        },
        corrupt: () => expect.unreachable(),
      });
      const lines = acts.map(({ event }) => `${JSON.stringify(event)}\n`).join('');
      parser.filled(Buffer.from(lines).copy(parser.room()));
      rows.close();
    }),
    { numRuns: times(300, 100) },
  );
  expect(known).toBeGreaterThan(20);
  expect(known).toBe(equal);
});

it('numbers beyond the precision of a double are compared as stored, and the act stays a row', () => {
  useAccelerator('always');
  const answers: boolean[] = [];
  const provenance = '{"at":0.12345678901234567}';
  const line = `{"agent_id":"a","caused_by":null,"episode_id":"ep","evidence_ids":[],"id":"e1","payload":{"action_id":"act-1","input_excerpt":"x","outcome":"ok","provenance":${provenance}},"phase":"act","timestamp":"2026-03-01T10:42:00Z"}\n`;
  const mirror = (at: string) =>
    parseExactJson(
      `{"id":"act-1","input_excerpt":"x","provenance":{"at":${at}},"result_status":"ok","timestamp":"2026-03-01T10:42:00Z"}`,
    ) as JsonObject;
  const rows = RowSource.open(LogForm.stored(LAYOUT));
  const parser = new LogParser(rows, {
    row(row) {
      expect([row.isAccepted, row.record.mayRound]).toEqual([true, true]);
      for (const at of ['0.12345678901234567', '12345678901234567e-17', '0.12345678901234568'])
        answers.push(isMirroredBy(new ActRow(row, false), mirror(at)));
    },
    corrupt: () => expect.unreachable(),
  });
  parser.filled(Buffer.from(line).copy(parser.room()));
  rows.close();
  expect(answers).toEqual([true, true, false]);
});
