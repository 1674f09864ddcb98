import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { verifyCoordinator } from '../../../src/dialects/coordinator/verify.ts';
import { EVENT_TYPES } from '../../../src/dialects/coordinator/vocabulary.ts';
import { DEFAULT_VERIFY_OPTIONS } from '../../../src/findings/options.ts';
import { times } from '../../support/length.ts';
import { brief, verifyEvents, verifyText } from '../verify-events.ts';
import { complete, detailOf, dispatch, happened, log, start, wholeTask } from './logs.ts';

const SAMPLES = join(import.meta.dirname, '../../samples/coordinator');

const findings = async (events: readonly JsonObject[]) =>
  brief(await verifyEvents(verifyCoordinator, log(events)));

describe('the samples', () => {
  test.each<[string, number, string[]]>([
    ['nested-two-sessions.jsonl', 75, []],
    ['interrupted-session1.jsonl', 46, []],
    ['corrupt-middle.jsonl', 29, ['error log/invalid-json 13']],
    ['truncated-tail.jsonl', 12, ['error log/truncated 13']],
    ['old-names-2026-01-11.jsonl', 7, ['info event/missing-field 1']],
  ])('%s', async (name, events, expected) => {
    const target = { name, log: join(SAMPLES, name), dir: undefined };
    const report = await verifyCoordinator(target, DEFAULT_VERIFY_OPTIONS);
    expect(report.events).toBe(events);
    expect(brief(report)).toEqual(expected);
  });
});

test('a task from dispatch to completion has no findings', async () => {
  expect(await findings([start, ...wholeTask('1-1-1'), ...wholeTask('__proto__')])).toEqual([]);
});

describe('the envelope', () => {
  test.each<[string, JsonObject, string[]]>([
    ['without a time', { timestamp: null }, ['error event/wrong-type 2']],
    ['with an invalid time', { timestamp: 'noon' }, ['error event/timestamp 2']],
    ['with a local time', { timestamp: '2026-01-17T01:00:00.123456' }, []],
    ['with an earlier time', { timestamp: '2026-01-17T08:00:00Z' }, ['warn event/time-order 2']],
    ['with an empty session', { session_id: '' }, ['error event/wrong-type 2']],
    ['without a session', { session_id: null }, ['error event/missing-field 2']],
    ['with a type that is a number', { event_type: 5 }, ['error event/wrong-type 2']],
    ['with an empty type', { event_type: '' }, ['error event/wrong-type 2', 'warn event/unknown-type 2']],
    ['with details that are a list', { details: [] }, ['warn event/payload 2', 'warn event/wrong-type 2']],
    [
      'with a number for a sequence in quotes',
      { sequence: '2' },
      ['warn event/wrong-type 2', 'warn sequence/gap 3'],
    ],
    ['with a member of its own', { host: 'h' }, []],
  ])('%s', async (_, change, expected) => {
    const odd = { ...dispatch('1', 'd'), ...change };
    const events = log([start, odd, happened('health_audit_pass', { agent_id: 'h' })]);
    expect(brief(await verifyEvents(verifyCoordinator, events)).sort()).toEqual(expected.sort());
  });

  test('a type in `event` is read, and reported', async () => {
    const { event_type: event, ...rest } = dispatch('1', 'd');
    expect(await findings([start, { ...rest, event: event ?? '' }, ...wholeTask('1').slice(1)])).toEqual([
      'warn event/missing-field 2',
    ]);
  });

  test('local times and those with an offset are two clocks', async () => {
    const times = [
      '2026-01-17T09:00:00Z',
      '2026-01-17T01:00:00',
      '2026-01-17T09:01:00Z',
      '2026-01-17T00:59:59',
    ];
    const events = log([start, ...['1', '2', '3'].map((task) => dispatch(task, `d${task}`))]);
    const stamped = events.map((event, index) => ({ ...event, timestamp: times[index] ?? '' }));
    expect(brief(await verifyEvents(verifyCoordinator, stamped))).toEqual(['warn event/time-order 4']);
  });

  test.each(['timestamp', 'event_type', 'session_id'])('without %s it is an error', async (key) => {
    const events = log([start, ...wholeTask('1')]);
    const { [key]: _, ...rest } = events[1] as JsonObject;
    const report = await verifyEvents(verifyCoordinator, events.with(1, rest));
    expect(brief(report)).toContain('error event/missing-field 2');
  });
});

describe('details', () => {
  test.each<[string, JsonObject, string[]]>([
    [
      'whole',
      happened('critic_timeout', { task_id: '1', agent_id: 'c', timeout_ms: 1, attempt_number: 1 }),
      [],
    ],
    ['missing', happened('workflow_failed', { reason: 'x' }), ['warn event/payload 3']],
    [
      'missing ids',
      happened('session_pause', { reason: 'x', remaining_percent: 1, resets_at: 'unknown' }),
      [],
    ],
    [
      'in the shorter form',
      happened('critic_timeout', { task_id: '1', agent_id: 'c' }),
      ['warn event/payload 3'],
    ],
    [
      'half of two',
      happened('auditor_fail', { task_id: '1', agent_id: 'c', failures: [] }),
      ['warn event/payload 3'],
    ],
    [
      'under other names',
      happened('remediation_dispatched', { agent_id: 'r', issue: 'x', issue_details: 'y', attempt: 1 }),
      [],
    ],
    [
      'with ids inside',
      {
        event_type: 'developer_checkpoint',
        details: { task_id: '1', agent_id: 'd', status: 'x', checkpoint: 'y' },
      },
      [],
    ],
    [
      'at odds with the top',
      happened(
        'developer_checkpoint',
        { task_id: '1', agent_id: 'd', status: 'x', checkpoint: 'y' },
        { details: { task_id: '2', status: 'x', checkpoint: 'y' } },
      ),
      ['warn event/conflict 3'],
    ],
    [
      'at the top',
      happened('session_pause', {}, { reason: 'x', remaining_percent: 1, resets_at: 'y' }),
      ['warn event/flat-details 3'],
    ],
    [
      'of another type than the documents give them',
      happened('environment_verification_passed', {
        task_id: '1',
        environments_tested: ['ci'],
        all_passed: 'yes',
      }),
      ['warn event/field-type 3'],
    ],
    [
      'of such a type at the top',
      happened(
        'environment_verification_passed',
        {},
        { task_id: '1', environments_tested: ['ci'], all_passed: 1 },
      ),
      ['warn event/flat-details 3', 'warn event/field-type 3'],
    ],
    [
      'that are longer than documented',
      happened('health_audit_unexpected', {
        agent_id: 'd',
        attempt_number: 1,
        response_summary: 'x'.repeat(201),
      }),
      ['warn event/range 3'],
    ],
    ['of an unknown type', happened('task_compleeted', {}), ['warn event/unknown-type 3']],
    ['of a type that another document has', happened('agent_stalled', {}), ['info event/unknown-type 3']],
    ['of a signal', happened('ready_processed', {}), ['info event/unknown-type 3']],
    ['of a type named __proto__', happened('__proto__', {}), ['warn event/unknown-type 3']],
  ])('%s', async (_, event, expected) => {
    expect(await findings([start, dispatch('1', 'd'), event])).toEqual(expected);
  });

  test('a flat log is reported once', async () => {
    const flat = happened('usage_check', {}, { utilisation: 1, remaining: 2, resets_at: 'unknown' });
    const report = await verifyEvents(verifyCoordinator, log([start, flat, flat, flat]));
    expect(brief(report)).toEqual(['warn event/flat-details 2']);
    expect(report.findings[0]?.message).toMatch(/3 events/);
  });

  test.each([...EVENT_TYPES].filter(([, { fields }]) => fields.length > 0))(
    '%s with all its fields is fine, in details or at the top',
    async (type, { fields }) => {
      const values = Object.fromEntries(fields.map((name) => [name, detailOf(name)]));
      const own = (event: JsonObject) => findings([start, dispatch('task_id', 'x'), event]);
      const about = (found: string[]) => found.filter((text) => text.includes(' event/'));
      expect(about(await own(happened(type, values)))).toEqual([]);
      expect(
        about(await own({ event_type: type, agent_id: null, task_id: null, details: {}, ...values })).filter(
          (text) => !text.includes('flat'),
        ),
      ).toEqual([]);
    },
  );
});

test('a lost line may explain missing records', async () => {
  const lines = log([
    { ...complete('9'), session_id: 's7' },
    { ...dispatch('1', 'd'), session_id: 's7', sequence: 9 },
  ]);
  const report = await verifyText(
    verifyCoordinator,
    `{"broken\n${lines.map((event) => JSON.stringify(event)).join('\n')}\n`,
  );
  expect(brief(report)).toEqual(['error log/invalid-json 1']);
});

test('a missing log fails', async () => {
  const report = await verifyCoordinator({ name: 'x', log: undefined, dir: '/x' }, DEFAULT_VERIFY_OPTIONS);
  expect(report).toMatchObject({ verdict: 'fail', path: '/x', findings: [{ code: 'log/missing' }] });
});

test('nothing in an event can make it throw', async () => {
  const key = fc.constantFrom(
    'timestamp',
    'sequence',
    'session_id',
    'event_type',
    'agent_id',
    'task_id',
    'details',
    '__proto__',
  );
  const value = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(...EVENT_TYPES.keys(), 'a', '__proto__', '2026-01-17T09:00:00Z'),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.dictionary(key, value), { maxLength: 8 }), async (events) => {
      expect((await verifyEvents(verifyCoordinator, events)).events).toBe(events.length);
    }),
    { numRuns: times(60, 12) },
  );
});
