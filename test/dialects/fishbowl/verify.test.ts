import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { verifyFishbowl } from '../../../src/dialects/fishbowl/verify.ts';
import { DEFAULT_VERIFY_OPTIONS } from '../../../src/findings/options.ts';
import { times } from '../../support/length.ts';
import { brief, verifyEvents, verifyText } from '../verify-events.ts';
import { ledger, RUN, say, started, verdict, won } from './ledgers.ts';

const SAMPLE = join(import.meta.dirname, '../../samples/fishbowl/ledger-10-runs.scrubbed.jsonl');

const findings = async (events: readonly JsonObject[]) =>
  brief(await verifyEvents(verifyFishbowl, ledger(events)));

test('the ledger of ten runs has no findings', async () => {
  const report = await verifyFishbowl(
    { name: 'ledger', log: SAMPLE, dir: undefined },
    DEFAULT_VERIFY_OPTIONS,
  );
  expect(report).toMatchObject({ verdict: 'ok', events: 256, dialect: 'fishbowl' });
  expect(new Set(report.findings.map(({ code }) => code))).toEqual(
    new Set(['event/salvaged', 'event/long-line', 'order/terminate-missing', 'consistency/turns']),
  );
});

test('a run as the engine writes it has no findings', async () => {
  expect(await findings(RUN)).toEqual([]);
});

test('runs may be interleaved', async () => {
  const other = [
    started('s'),
    say({ run_id: 's', turn: 5 }),
    verdict('s'),
    { ...won('s'), payload: { ...(won('s')['payload'] as JsonObject), turns: 5 }, turn: 5 },
  ];
  other[2] = { ...other[2], turn: 5 };
  const mixed = RUN.flatMap((event, index) => [event, other[index] ?? {}]);
  expect(await findings(mixed)).toEqual([]);
});

describe('the envelope', () => {
  test.each<[string, JsonObject, string[]]>([
    ['an unknown member', { offset: 3 }, ['error event/unknown-key 2']],
    ['a member named __proto__', JSON.parse('{"__proto__":1}'), ['error event/unknown-key 2']],
    ['no actor', { actor: null }, ['error event/wrong-type 2']],
    ['a run that is a number', { run_id: 7 }, ['error event/wrong-type 2']],
    ['a payload that is a list', { payload: [] }, ['error event/wrong-type 2']],
    ['a turn with a fraction', { turn: 1.5 }, ['error event/wrong-type 2']],
    ['a turn in quotes', { turn: '1' }, ['warn event/wrong-type 2']],
    ['a malformed kind', { kind: 'Agent_Spoke' }, ['error event/type-format 2']],
    ['a kind of one word', { kind: 'spoke' }, ['error event/type-format 2']],
    ['a kind with a final newline', { kind: 'agent.spoke\n' }, ['error event/type-format 2']],
    ['a new kind', { kind: 'clue.found' }, []],
    ['another version', { schema_version: 2 }, ['warn event/schema-version 2']],
    ['an invalid time', { created_at: 'yesterday' }, ['error event/timestamp 2']],
    ['a time without an offset', { created_at: '2026-06-01T00:00:01' }, ['info event/timestamp 2']],
    ['a time of another zone', { created_at: '2026-06-01T02:00:01+02:00' }, ['info event/timestamp 2']],
    ['an earlier time', { created_at: '2026-05-01T00:00:00Z' }, ['info event/time-order 2']],
    ['a session that is a number', { session_id: 5 }, ['error event/wrong-type 2']],
  ])('with %s', async (_, change, expected) => {
    expect(
      await findings([
        started('r'),
        { ...say(), ...change, ...(Object.hasOwn(change, '__proto__') && JSON.parse('{"__proto__":1}')) },
        verdict('r'),
        won('r'),
      ]),
    ).toEqual(expected);
  });

  test.each([
    ['run_id', 'error event/missing-field 2'],
    ['kind', 'error event/missing-field 2'],
    ['payload', 'error event/missing-field 2'],
    ['id', 'warn event/missing-field 2'],
    ['created_at', 'warn event/missing-field 2'],
    ['schema_version', 'warn event/missing-field 2'],
  ])('without %s', async (key, expected) => {
    const events = ledger(RUN);
    const { [key]: _, ...rest } = events[1] as JsonObject;
    const report = await verifyEvents(verifyFishbowl, events.with(1, rest));
    expect(brief(report)).toContain(expected);
  });

  test('other versions are read through the registered steps', async () => {
    const events = ledger(RUN.map((event) => ({ ...event, schema_version: 2 })));
    const settings = { fishbowl: { upcast: [{ dialect: 'fishbowl', from: 2, to: 1 }] } };
    const verify: typeof verifyFishbowl = (target, options) =>
      verifyFishbowl(target, { ...options, settings });
    expect(brief(await verifyEvents(verify, events))).toEqual([]);
    expect(brief(await verifyEvents(verifyFishbowl, events))).toHaveLength(4);
  });
});

test('times before the year 1000 are compared by their texts', async () => {
  const at = (created_at: string) => say({ created_at });
  const events = [{ ...started('r'), created_at: '0999-12-31T23:59:59Z' }];
  expect(await findings([...events, at('0999-12-31T23:59:58Z')])).toContain('info event/time-order 2');
  expect(await findings([...events, at('1000-01-01T00:00:00Z')])).not.toContain('info event/time-order 2');
});

describe('ids', () => {
  test('are known among very many', async () => {
    const many = ledger([started('r'), ...Array.from({ length: 3000 }, () => say())]);
    const again = { ...(many[2999] as JsonObject), created_at: many[3000]?.['created_at'] ?? null };
    const report = await verifyEvents(verifyFishbowl, [...many, many[1500] as JsonObject, again]);
    expect(report.findings.filter(({ code }) => code === 'event/duplicate-id')).toMatchObject([
      { severity: 'info', line: 3002, message: expect.stringMatching(/repeats the one on line 1501;/) },
      { severity: 'error', line: 3003, message: expect.stringMatching(/is on line 3000;/) },
    ]);
  });

  test('a repeat is info, a different event with the same id is an error; both across all runs', async () => {
    const repeat = ledger(RUN)[1] as JsonObject;
    expect(await findings([started('r'), say(), repeat, verdict('r'), won('r')])).toEqual([
      'info event/duplicate-id 3',
    ]);
    const { id: _, ...others } = repeat;
    const reordered = { ...others, id: repeat['id'] } as JsonObject;
    expect(await findings([started('r'), say(), reordered, verdict('r'), won('r')])).toEqual([
      'info event/duplicate-id 3',
    ]);
    const forged = { ...repeat, payload: { text: 'no' } };
    expect(await findings([started('r'), say(), forged, verdict('r'), won('r')])).toEqual([
      'error event/duplicate-id 3',
    ]);
    const elsewhere = { ...repeat, run_id: 's' };
    expect(await findings([started('r'), say(), elsewhere, verdict('r'), won('r')])).toEqual([
      'error event/duplicate-id 3',
    ]);
  });

  test('events that a store drops are ignored, such as a second end of a run', async () => {
    const forged = { ...won('r'), id: 'e4' };
    expect(await findings([...RUN, forged])).toEqual(['error event/duplicate-id 5']);
  });
});

describe('payloads', () => {
  test.each<[string, JsonObject, string[]]>([
    ['speech without text', say({ payload: {} }), ['warn event/payload 2']],
    ['text that is a number', say({ payload: { text: 5 } }), ['warn event/field-type 2']],
    ['reflection without text', say({ kind: 'agent.reflected', payload: {} }), []],
    ['an unknown kind without text', say({ kind: 'clue.found', payload: {} }), []],
    ['extra keys', say({ payload: { text: 'hi', mood: 'calm', zest: 1 } }), []],
    [
      'a score out of range',
      verdict('r', { scores: { ann: 11, bob: 0, judge: 10 } }),
      ['warn event/range 2'],
    ],
    ['a score for a stranger', verdict('r', { scores: { eve: 1 } }), ['warn event/vocabulary 2']],
    ['no_contest: false', verdict('r', { no_contest: false }), ['warn event/field-type 2']],
    ['no_contest with a winner', verdict('r', { no_contest: true }), ['warn consistency/winner 2']],
    ['a salvaged text', say({ payload: { text: 'hi', _raw_fallback: true } }), ['info event/salvaged 2']],
  ])('with %s', async (_, event, expected) => {
    expect(await findings([started('r'), event, verdict('r'), won('r')])).toEqual(expected);
  });

  test('a start without a seed is a warning', async () => {
    const start = { ...started('r'), payload: { ...(started('r')['payload'] as JsonObject), seed: null } };
    expect(await findings([start, say(), verdict('r'), won('r')])).toEqual(['warn event/field-type 1']);
  });

  test('long lines are reported once', async () => {
    const long = say({ payload: { text: 'x'.repeat(70_000) } });
    expect(await findings([started('r'), long, long, verdict('r'), won('r')])).toEqual([
      'info event/long-line 2',
    ]);
  });
});

describe('a damaged ledger', () => {
  test('reports nothing that a lost line may explain', async () => {
    const lines = ledger([say({ actor: 'eve' }), say()]).map((event) => JSON.stringify(event));
    const report = await verifyText(verifyFishbowl, `{"id":\n${lines.join('\n')}\n`);
    expect(brief(report)).toEqual(['error log/invalid-json 1']);
    expect(report.stages.find(({ name }) => name === 'consistency')?.reason).toMatch(/the log is damaged/);
  });

  test('one run of many is checked alone, with ids over all', async () => {
    const events = ledger([...RUN, { run_id: 's', payload: {} }, { ...say({ run_id: 's' }), id: 'e2' }]);
    const one = (run: string) =>
      verifyEvents((target, options) => verifyFishbowl({ ...target, run }, options), events);
    expect(await one('r')).toMatchObject({ events: 4, findings: [] });
    expect(brief(await one('s'))).toContain('error event/duplicate-id 6');
  });

  test('a missing ledger fails', async () => {
    const report = await verifyFishbowl({ name: 'x', log: undefined, dir: '/x' }, DEFAULT_VERIFY_OPTIONS);
    expect(report).toMatchObject({ verdict: 'fail', findings: [{ code: 'log/missing' }] });
  });
});

test('nothing in an event can make it throw', async () => {
  const value = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom('__proto__', 'r', 'run.started', 'run.finished', 'judge.verdict'),
  );
  const key = fc.constantFrom(
    'id',
    'run_id',
    'turn',
    'kind',
    'actor',
    'payload',
    'created_at',
    'session_id',
    '__proto__',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.dictionary(key, value), { maxLength: 8 }), async (events) => {
      expect((await verifyEvents(verifyFishbowl, events)).events).toBe(events.length);
    }),
    { numRuns: times(60, 12) },
  );
});
