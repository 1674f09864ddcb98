import { describe, expect, test } from 'vitest';
import { event, patched, started, told, transition, verifyEvents } from './support.ts';

describe('idempotency keys', () => {
  const keyed = (
    sequence: number,
    key: string,
    data: object = { passed: true, passCount: 1, failCount: 0 },
  ) => event(sequence, 'test.result', data, { idempotencyKey: key });

  test('a repeat with the same content is info, with other content a warning', async () => {
    const other = { passed: false, passCount: 0, failCount: 1 };
    expect(told(await verifyEvents([started(), keyed(2, 'k'), keyed(3, 'k'), keyed(4, 'k', other)]))).toEqual(
      ['info idempotency/duplicate 3 idempotencyKey', 'warn idempotency/duplicate 4 idempotencyKey'],
    );
  });

  test('long contents are compared too', async () => {
    const long = (end: string) => ({
      passed: true,
      passCount: 1,
      failCount: 0,
      output: `${'x'.repeat(70_000)}${end}`,
    });
    const events = [started(), keyed(2, 'k', long('a')), keyed(3, 'k', long('a')), keyed(4, 'k', long('b'))];
    expect(told(await verifyEvents(events))).toEqual([
      'info idempotency/duplicate 3 idempotencyKey',
      'warn idempotency/duplicate 4 idempotencyKey',
    ]);
  });

  test('a long record without a payload has the same content as another', async () => {
    const long = { idempotencyKey: 'k', note: 'x'.repeat(70_000) };
    const events = [2, 3].map((sequence) => event(sequence, 'test.result', undefined, long));
    expect(told(await verifyEvents([started(), ...events]))).toEqual([
      'info idempotency/duplicate 3 idempotencyKey',
    ]);
  });

  test.each([
    [199, 'warn'],
    [200, 'info'],
  ])('after %i other keys it is a repeat of severity %s', async (between, severity) => {
    const others = Array.from({ length: between }, (_, index) => keyed(index + 3, `other-${index}`));
    const repeat = keyed(between + 3, 'k', { passed: false, passCount: 0, failCount: 1 });
    const report = await verifyEvents([started(), keyed(2, 'k'), ...others, repeat]);
    expect(told(report)).toEqual([`${severity} idempotency/duplicate ${between + 3} idempotencyKey`]);
  });

  test('streams have their own keys', async () => {
    const elsewhere = { ...keyed(1, 'k'), streamId: 'g' };
    expect(told(await verifyEvents([started(), keyed(2, 'k'), elsewhere]))).toEqual([
      'warn consistency/stream-id 3 streamId',
    ]);
  });
});

describe('causes', () => {
  const caused = (sequence: number, causationId: string, more: object = {}) =>
    event(sequence, 'test.result', undefined, { causationId, ...more });

  test.each(['1', 'f:1', 'f#1', 'start-key', 'e-1'])('%s names the first event', async (cause) => {
    const first = { ...started(), idempotencyKey: 'start-key', eventId: 'e-1' };
    expect(told(await verifyEvents([first, caused(2, cause)]))).toEqual([]);
  });

  test('a missing target is reported once, and fails nothing', async () => {
    const report = await verifyEvents([started(), caused(2, 'req-1'), caused(3, '77'), caused(4, 'g:5')]);
    expect(told(report)).toEqual(['info lineage/dangling-cause 2 causationId']);
    expect(report.findings[0]?.message).toBe('the causationIds of 3 events name no event of this log');
    const one = await verifyEvents([started(), caused(2, 'req-1')]);
    expect(one.findings.map(({ message }) => message)).toEqual(['a causationId names no event of this log']);
  });

  test('a cycle is reported once, even if it is long or entered twice', async () => {
    const circle = (length: number) =>
      Array.from({ length }, (_, at) => caused(at + 2, String(at + 3 > length + 1 ? 2 : at + 3)));
    const messages = async (length: number) =>
      (await verifyEvents([started(), ...circle(length)])).findings.map(({ line, message }) => [
        line,
        message,
      ]);
    expect(await messages(3)).toEqual([[2, 'the events on lines 2, 3, 4 form a cycle of causes']]);
    expect(await messages(12)).toEqual([
      [2, 'the events on lines 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 2 more form a cycle of causes'],
    ]);
  });

  test('a number is a place in the same stream, even if events have ids', async () => {
    const nameless = caused(2, '1', { eventId: 'e-2', streamId: undefined });
    expect(told(await verifyEvents([{ ...started(), eventId: 'e-1' }, nameless]))).toEqual([
      'error event/missing-field 2 streamId',
    ]);
  });

  test('reports a cause that comes later, and one that is its own effect', async () => {
    expect(told(await verifyEvents([started(), caused(2, '3'), caused(3, 'f:3')]))).toEqual([
      'info lineage/forward-cause 2',
      'warn lineage/cycle 3 causationId',
    ]);
  });

  test('an event id occurs once', async () => {
    expect(
      told(
        await verifyEvents([
          { ...started(), eventId: 'e' },
          event(2, 'test.result', undefined, { eventId: 'e' }),
        ]),
      ),
    ).toEqual(['error event/duplicate-id 2 eventId']);
  });
});

describe('the course of a workflow', () => {
  test.each([
    ['feature', 'ideate'],
    ['debug', 'triage'],
    ['refactor', 'explore'],
    ['discovery', 'gathering'],
    ['of-our-own', 'anything'],
  ])('%s begins in %s', async (type, phase) => {
    expect(
      told(await verifyEvents([started(1, type), transition(2, phase, 'x'), transition(3, 'x', 'y')])),
    ).toEqual([]);
  });

  test('a transition leaves the phase that the one before led to', async () => {
    const report = await verifyEvents([
      started(),
      transition(2, 'ideate', 'plan'),
      transition(3, 'review', 'delegate'),
      transition(4, 'delegate', 'x'),
    ]);
    expect(told(report)).toEqual(['warn order/lifecycle 3 data.from']);
    expect(report.findings[0]?.message).toBe('the transition leaves review, but line 2 led to plan');
  });

  test('patches, cancel and cleanup change the phase too', async () => {
    const cancel = event(4, 'workflow.cancel', { from: 'y', to: 'cancelled', trigger: 't', featureId: 'f' });
    expect(
      told(await verifyEvents([started(), patched(2, { phase: 'x' }), transition(3, 'x', 'y'), cancel])),
    ).toEqual(['info consistency/patch 2 data.patch.phase']);
    expect(
      told(await verifyEvents([started(), patched(2, {}), patched(3, {}), cancel, transition(5, 'y', 'z')])),
    ).toEqual(['warn order/lifecycle 4 data.from', 'warn order/lifecycle 5 type']);
  });

  test('it starts first, but gates and sidecars may come before', async () => {
    expect(
      told(await verifyEvents([event(1, 'gate.executed'), event(2, 'team.task.completed'), started(3)])),
    ).toEqual([]);
    expect(told(await verifyEvents([transition(1, 'a', 'b'), started(2)]))).toEqual([
      'warn order/start-not-first 1 type',
    ]);
    expect(told(await verifyEvents([event(1, 'gate.executed')]))).toEqual([]);
  });

  test('it starts once', async () => {
    expect(told(await verifyEvents([started(), transition(2, 'ideate', 'plan'), started(3)]))).toEqual([
      'warn order/start-repeated 3 type',
    ]);
  });

  test('shared streams have no course', async () => {
    const shared = (one: object) => ({ ...one, streamId: 'default' });
    expect(
      told(await verifyEvents([shared(transition(1, 'a', 'b')), shared(transition(2, 'x', 'y'))])),
    ).toEqual(['warn consistency/stream-id 1 streamId']);
  });
});
