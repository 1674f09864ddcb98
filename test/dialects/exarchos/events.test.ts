import { describe, expect, test } from 'vitest';
import { customNameFault } from '../../../src/dialects/exarchos/registered.ts';
import { event, started, toLog, told, transition, verifyEvents, verifyFiles } from './support.ts';

/** The findings about the second event of an otherwise intact log. */
const toldOf = async (second: object) => told(await verifyEvents([started(), second]));

describe('the envelope', () => {
  test('an intact log has no findings', async () => {
    expect(await verifyEvents([started(), transition(2, 'ideate', 'plan')])).toMatchObject({
      verdict: 'ok',
      findings: [],
      events: 2,
      dialect: 'exarchos',
      sealed: false,
    });
  });

  test.each(['streamId', 'timestamp', 'type'])('%s must be there', async (key) => {
    expect(await toldOf({ ...event(2, 'gate.executed'), [key]: undefined })).toEqual([
      `error event/missing-field 2 ${key}`,
    ]);
  });

  test('a sequence is required, a version is not', async () => {
    expect(await toldOf({ ...event(2, 'test.result'), sequence: undefined })).toEqual([
      'error event/missing-field 2 sequence',
    ]);
    expect(await toldOf({ ...event(2, 'test.result'), schemaVersion: undefined })).toEqual([
      'warn event/missing-field 2 schemaVersion',
    ]);
  });

  test.each([
    ['sequence', '2'],
    ['sequence', 0],
    ['sequence', 1.5],
    ['data', []],
    ['data', null],
    ['correlationId', null],
    ['agentId', 7],
  ])('%s must not be %j', async (key, value) => {
    expect(await toldOf({ ...event(2, 'test.result'), [key]: value })).toContain(
      `error event/wrong-type 2 ${key}`,
    );
  });

  test.each([
    ['2026-04-01T10:00:00.123456789012Z', []],
    ['2026-04-01T10:00:00Z', []],
    ['2026-04-01T10:00:00+02:00', ['warn event/timestamp 2 timestamp']],
    ['2026-04-01', ['warn event/timestamp 2 timestamp']],
    ['2026-02-30T10:00:00Z', ['error event/timestamp 2 timestamp']],
    ['yesterday', ['error event/timestamp 2 timestamp']],
  ])('the time %s', async (timestamp, expected) => {
    expect(await toldOf({ ...event(2, 'state.patched'), timestamp })).toEqual(expected);
  });

  test('lengths that 2.0 did not limit are a warning about lengths', async () => {
    const report = await verifyEvents([
      started(),
      event(2, 'state.patched', undefined, { correlationId: 'c'.repeat(201) }),
    ]);
    expect(told(report)).toEqual(['warn event/wrong-type 2 correlationId']);
    expect(report.findings[0]?.message).toBe(
      'correlationId has 201 characters; the store accepts at most 200',
    );
  });

  test('an empty name of a stream is reported as such', async () => {
    const report = await verifyEvents([started(), { ...event(1, 'test.result'), streamId: '' }]);
    expect(report.findings.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
      'warn: the event is of stream ""; the file name says f',
      'warn: streamId is empty',
    ]);
  });

  test('events of very many other streams are reported as a count', async () => {
    const others = Array.from({ length: 23 }, (_, index) =>
      event(1, 'test.result', undefined, { streamId: `g${index}` }),
    );
    const { findings } = await verifyEvents([started(), ...others]);
    expect(findings.map(({ code }) => code)).toEqual(Array(21).fill('consistency/stream-id'));
    expect(findings.find(({ line }) => line === undefined)).toMatchObject({
      message: 'this file also has events of 3 more streams',
      file: 'f.events.jsonl',
    });
  });

  test('a stream id that contains a path is a warning', async () => {
    expect(await toldOf(event(2, 'state.patched', undefined, { streamId: '../x' }))).toContain(
      'warn event/wrong-type 2 streamId',
    );
  });

  test('times need not ascend, and causes may be missing', async () => {
    expect(await toldOf(event(2, 'state.patched', undefined, { timestamp: '2020-01-01T00:00:00Z' }))).toEqual(
      [],
    );
  });

  test('the order of keys does not matter: exports of later versions have another', async () => {
    const turned = Object.fromEntries(Object.entries(event(2, 'state.patched')).reverse());
    expect(told(await verifyEvents([started(), turned]))).toEqual([]);
  });

  test('findings name the event by stream and sequence', async () => {
    const report = await verifyEvents([started(), event(2, 'Nope')]);
    expect(report.findings[0]).toMatchObject({
      eventId: 'f:2',
      file: 'f.events.jsonl',
      line: 2,
      actual: 'Nope',
    });
  });
});

describe('types', () => {
  test.each([
    ['workflow.checkpoint_written', []],
    ['project.deploy-done', ['info event/unknown-type 2 type']],
    ['newer.type_name', ['info event/unknown-type 2 type']],
    ['team.formed', ['info event/unknown-type 2 type']],
    ['nodot', ['error event/type-format 2 type']],
    ['Agent.Spoke', ['error event/type-format 2 type']],
    ['a..b', ['error event/type-format 2 type']],
    ['workflow.*', ['error event/type-format 2 type']],
  ])('%s', async (type, expected) => {
    expect(await toldOf(event(2, type))).toEqual(expected);
  });

  test('of a newer version are only info, however many there are', async () => {
    const newer = Array.from({ length: 171 }, (_, at) => `newer_${at}.type_name`);
    const events = newer.map((type, at) => event(at + 2, type));
    const findings = told(await verifyEvents([started(), ...events]));
    expect(new Set(findings.map((text) => text.replace(/ \d+ /, ' ')))).toEqual(
      new Set(['info event/unknown-type type']),
    );
    expect(findings).toHaveLength(newer.length);
  });

  test('custom types are known where they are registered', async () => {
    const types = new Set(['project.deploy-done', 'project.x']);
    const events = [started(), event(2, 'project.deploy-done'), event(3, 'project.x', { ok: 1 })];
    expect(told(await verifyEvents(events, { types }))).toEqual([]);
  });

  test.each(['foo', 'workflow.started', 'A.b', '', 'a.', 'own.type'])('%j cannot be registered', (name) => {
    expect(customNameFault(name, new Set(['own.type']))).toBeDefined();
  });
});

describe('payloads', () => {
  test('a misfit is a warning with its place', async () => {
    const report = await verifyEvents([
      started(),
      event(2, 'task.progressed', { taskId: 't', tddPhase: 'blue' }),
    ]);
    expect(told(report)).toEqual(['info order/task 2 data.taskId', 'warn event/payload 2 data.tddPhase']);
    expect(report.findings.find(({ code }) => code === 'event/payload')).toMatchObject({
      expected: 'one of red, green, refactor',
      actual: '`blue`',
    });
  });

  test('an absent payload passes, and so does one that the program is known to write', async () => {
    expect(await toldOf(event(2, 'team.spawned'))).toEqual([]);
    expect(
      await toldOf(
        event(2, 'workflow.cleanup', { featureId: 'f', previousPhase: 'ideate', mergeVerified: true }),
      ),
    ).toEqual([]);
  });
});

describe('schema versions', () => {
  const newer = event(2, 'task.progressed', { taskId: '', phase: 'red' }, { schemaVersion: '2.0' });

  test('an unknown one is a warning, and its payload is left alone', async () => {
    expect(await toldOf(newer)).toEqual(['warn event/schema-version 2 schemaVersion']);
  });

  test('a registered step makes it known', async () => {
    const step = (key: string) => [
      { dialect: 'exarchos', from: '2.0', to: '1.0', rename: { 'data.phase': `data.${key}` } },
    ];
    expect(told(await verifyEvents([started(), newer], { upcasts: step('tddPhase') }))).toEqual([]);
    expect(told(await verifyEvents([started(), newer], { upcasts: step('other') }))).toEqual([
      'warn event/payload 2 data.tddPhase',
    ]);
  });
});

describe('damage', () => {
  test('a torn tail is reported, and the rest is checked', async () => {
    const log = `${toLog([started(), event(2, 'Nope'), event(5, 'test.result')])}{"streamId":"f","seq`;
    const report = await verifyFiles({
      'f.events.jsonl': log,
      'f.seq': '{"sequence":9}',
      'f.state.json': '{}',
    });
    expect(told(report)).toEqual([
      'error event/type-format 2 type',
      'error log/truncated 4',
      'error state/schema 1 artifacts',
      'error state/schema 1 featureId',
      'error state/schema 1 phase',
      'error state/schema 1 tasks',
      'error state/schema 1 workflowType',
    ]);
    expect(report.stages).toContainEqual({
      name: 'projection',
      status: 'skipped',
      reason: 'the log is damaged',
    });
  });

  test('a newline that is missing at the end is reported', async () => {
    const report = await verifyFiles({ 'f.events.jsonl': toLog([started()]).trimEnd() });
    expect(told(report)).toEqual(['info log/no-final-newline 1']);
  });

  test('an empty log is not a fault', async () => {
    expect(await verifyFiles({ 'f.events.jsonl': '' })).toMatchObject({
      verdict: 'ok',
      events: 0,
      findings: [],
    });
  });
});
