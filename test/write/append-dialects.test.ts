import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compatibleEventSchema } from '../../src/dialects/fishbowl/schema/event.ts';
import { verifyEpisode } from '../../src/library/verify.ts';
import { appendEvent, openWriter } from '../../src/library/write.ts';
import { start } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir, writeTree } from '../support/temp.ts';

/** A copy of a sample, in a new folder. */
function copyOf(sample: string, name = sample.split('/').at(-1) ?? ''): string {
  const log = join(tempDir(), name);
  copyFileSync(join('test/samples', sample), log);
  return log;
}

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
const told = async (log: string) =>
  (await verifyEpisode(log)).findings
    .filter(({ severity }) => severity !== 'info')
    .map(({ code, line, message }) => `${code} ${line} ${message}`);

/** The findings that an appended event adds. */
async function addedFindings(log: string, events: object | readonly object[]): Promise<string[]> {
  const before = await told(log);
  await appendEvent(log, events);
  return (await told(log)).filter((finding) => !before.includes(finding));
}

describe('exarchos', () => {
  const STREAM = 'exarchos/demo-feature.events.jsonl';
  const event = { type: 'team.disbanded', data: { totalDurationMs: 1, tasksCompleted: 1, tasksFailed: 0 } };

  test('WF-038: stream, sequence, time and version are filled in, in the order of the store', async () => {
    const log = copyOf(STREAM);
    const lines = readFileSync(log, 'utf8').trimEnd().split('\n').length;
    const { events } = await appendEvent(log, event);
    expect(events[0]?.text).toMatch(
      new RegExp(
        `^\\{"streamId":"demo-feature","sequence":${lines + 1},"timestamp":"[^"]*Z","type":"team.disbanded","schemaVersion":"1.0","data":\\{"totalDurationMs":1,"tasksCompleted":1,"tasksFailed":0\\}\\}$`,
      ),
    );
    expect(readFileSync(log.replace('.events.jsonl', '.seq'), 'utf8')).toBe(`{"sequence":${lines + 1}}`);
    expect(existsSync(join(log, '../.event-store.lock'))).toBe(false);
  });

  test('WF-040: an expected sequence that is not the last one is a conflict, and nothing is written', async () => {
    const log = copyOf(STREAM);
    const before = readFileSync(log);
    const last = before.toString().trimEnd().split('\n').length;
    expect(await failureOf(appendEvent(log, event, { expectSequence: last - 1 }))).toMatchObject({
      code: 'log-moved-on',
    });
    expect(readFileSync(log).equals(before)).toBe(true);
    expect(await appendEvent(log, event, { expectSequence: last })).toMatchObject({ sequence: last + 1 });
  });

  test('WF-012: a second append with the same key adds nothing, and is not a conflict', async () => {
    const log = copyOf(STREAM);
    const first = await appendEvent(log, { ...event, idempotencyKey: 'k' });
    const again = await appendEvent(log, { ...event, idempotencyKey: 'k', data: {} }, { expectSequence: 1 });
    expect(again.events).toEqual([{ ...first.events[0], isNew: false }]);
  });

  test('WF-016: a type that the program writes itself is appended with a warning', async () => {
    const log = copyOf(STREAM);
    const data = { gateName: 'g', layer: 'l', passed: true };
    const { remarks } = await appendEvent(log, { type: 'gate.executed', data });
    expect(remarks).toEqual([expect.stringMatching(/gate.executed is written by the program, not by hand/)]);
    expect((await appendEvent(log, event)).remarks).toEqual([]);
  });

  test('appended events are verified like the others', async () => {
    expect(
      await addedFindings(copyOf(STREAM), [event, { ...event, idempotencyKey: 'x', correlationId: 'c' }]),
    ).toEqual([]);
    const fresh = join(tempDir(), 'new-feature.events.jsonl');
    await appendEvent(fresh, {
      type: 'workflow.started',
      data: { featureId: 'new-feature', workflowType: 'feature' },
    });
    expect(await told(fresh)).toEqual([]);
  });

  test.each([
    [{ type: 'no.such' }, /the store does not know the type/],
    [{ type: 'team.disbanded', data: { tasksFailed: -1 } }, /data\.\w+ is missing/],
    [{ ...event, taskId: 't' }, /taskId is not a member/],
    [{ ...event, sequence: 1 }, /sequence must be \d+ here/],
    [{ ...event, streamId: 'other' }, /streamId must be/],
    [{ ...event, timestamp: '2026-01-01T00:00:00+02:00' }, /timestamp must be an ISO 8601 time in UTC/],
    [{ ...event, data: [] }, /data must be/],
    [{ data: {} }, /type is missing/],
  ])('refuses %j, as the store does', async (bad, message) => {
    const log = copyOf(STREAM);
    const before = readFileSync(log);
    expect(String(await failureOf(appendEvent(log, [event, bad])))).toMatch(message);
    expect(readFileSync(log).equals(before)).toBe(true);
  });

  test('a log without a stream in its name has that of its events, and no counter next to it', async () => {
    const dir = tempDir();
    const log = join(dir, 'own.jsonl');
    const start = { type: 'workflow.started', data: { featureId: 'f', workflowType: 'feature' } };
    const nameless = failureOf(appendEvent(log, start, { dialect: 'exarchos' }));
    expect(String(await nameless)).toMatch(/streamId/);
    const { events } = await appendEvent(log, { streamId: 'f', ...start }, { dialect: 'exarchos' });
    expect(JSON.parse(events[0]?.text ?? '')).toMatchObject({ streamId: 'f', sequence: 1 });
    await appendEvent(log, event);
    expect(readFileSync(log, 'utf8').trimEnd().split('\n').at(-1)).toMatch(/^\{"streamId":"f","sequence":2,/);
    expect(readdirSync(dir)).toEqual(['own.jsonl']);
  });

  test('an event of the log without a number is not counted', async () => {
    const stored = { streamId: 'f', type: 'team.disbanded', schemaVersion: '1.0', sequence: '7' };
    const log = join(writeTree({ 'f.events.jsonl': `${JSON.stringify(stored)}\n` }), 'f.events.jsonl');
    const { events } = await appendEvent(log, event);
    expect(JSON.parse(events[0]?.text ?? '')).toMatchObject({ sequence: 1 });
  });

  test.each<[string, object, RegExp, string]>([
    [
      'of a version that nobody reads',
      { type: 'session.tagged', schemaVersion: '9.9', data: { tag: 't', sessionId: 's' } },
      /schemaVersion "9.9" is not known: the store writes 1.0/,
      'event/schema-version',
    ],
    [
      'that begins work after the end',
      { type: 'task.assigned', data: { taskId: 't9', title: 'Nine' } },
      /task.assigned comes after the end of the workflow: it was completed on line 28/,
      'order/lifecycle',
    ],
    [
      'that starts the workflow again',
      { type: 'workflow.started', data: { featureId: 'demo-feature', workflowType: 'feature' } },
      /the workflow already started on line 1/,
      'order/start-repeated',
    ],
    [
      'that leaves another phase',
      {
        type: 'workflow.transition',
        data: { from: 'plan', to: 'review', trigger: 't', featureId: 'demo-feature' },
      },
      /workflow\.transition comes after the end of the workflow: it was completed on line 28/,
      'order/lifecycle',
    ],
  ])(
    'refuses an event %s, and appends it for a reason: verify reports it',
    async (_, given, message, code) => {
      const log = copyOf(STREAM);
      const before = readFileSync(log);
      const failure = await failureOf(appendEvent(log, given));
      expect(failure).toMatchObject({ code: 'event-invalid', hint: expect.stringMatching(/--force/) });
      expect(String(failure)).toMatch(message);
      expect(readFileSync(log).equals(before)).toBe(true);
      const known = await told(log);
      await appendEvent(log, given, { force: 'a test' });
      const added = (await verifyEpisode(log)).findings.filter(
        (finding) => finding.line === 30 && !known.includes(finding.message),
      );
      expect(added.map((finding) => finding.code)).toContain(code);
    },
  );

  test('a batch that ends a workflow begins no work after it, and a shared stream has no lifecycle', async () => {
    const dir = tempDir();
    const startOf = { type: 'workflow.started', data: { featureId: 'f', workflowType: 'feature' } };
    const cancel = {
      type: 'workflow.cancel',
      timestamp: '2026-04-01T10:00:00.000Z',
      data: { from: 'ideate', to: 'cancelled', trigger: 'cancel', featureId: 'f' },
    };
    const work = { type: 'task.assigned', data: { taskId: 't', title: 'T' } };
    const log = join(dir, 'f.events.jsonl');
    expect(String(await failureOf(appendEvent(log, [startOf, cancel, cancel, work])))).toMatch(/on line 2/);
    await appendEvent(log, [startOf, cancel, cancel, { ...work, timestamp: '2026-04-01T09:00:00.000Z' }]);
    expect((await verifyEpisode(log)).findings.map(({ code }) => code)).not.toContain('order/lifecycle');
    await appendEvent(join(dir, 'telemetry.events.jsonl'), { type: 'tool.invoked', data: { tool: 't' } });
  });

  test('accepts registered types, and respects the lock of the program', async () => {
    const log = copyOf(STREAM);
    const settings = { exarchos: { custom_types: ['deploy.started'] } };
    await appendEvent(log, { type: 'deploy.started', data: {} }, { settings });
    const lock = join(log, '../.event-store.lock');
    writeFileSync(lock, String(process.pid));
    expect(await failureOf(appendEvent(log, event, { waitMs: 50 }))).toMatchObject({ code: 'log-locked' });
    writeFileSync(lock, '4194000');
    await appendEvent(log, event);
    expect(existsSync(lock)).toBe(false);
  });
});

describe('fishbowl', () => {
  const LEDGER = 'fishbowl/ledger-10-runs.scrubbed.jsonl';
  const opening = { run_id: 'new', turn: 0, kind: 'run.started', actor: 'conductor', payload: { seed: 's' } };
  const spoken = { run_id: 'new', kind: 'world.observed', actor: 'system', payload: { text: 't' } };

  test('RL-029: an event is validated whole, and an unknown member is refused with nothing written', async () => {
    const log = copyOf(LEDGER);
    const before = readFileSync(log);
    for (const bad of [
      { ...opening, offset: 1 },
      { ...opening, kind: 'Spoke' },
      { ...opening, turn: 1.5 },
      { ...opening, payload: null },
      { ...opening, payload: {} },
      { ...opening, created_at: 'now' },
    ])
      expect(await failureOf(appendEvent(log, [opening, bad]))).toMatchObject({ code: 'event-invalid' });
    expect(readFileSync(log).equals(before)).toBe(true);
  });

  test('writes the eleven members in the order of the engine, whose own validator accepts them', async () => {
    const log = copyOf(LEDGER);
    expect(await addedFindings(log, [opening, spoken])).toEqual([]);
    const [, last = ''] = readFileSync(log, 'utf8').trimEnd().split('\n').slice(-2);
    expect(Object.keys(JSON.parse(last) as object)).toEqual([
      'id',
      'run_id',
      'turn',
      'kind',
      'actor',
      'payload',
      'created_at',
      'schema_version',
      'session_id',
      'model_profile',
      'model_id',
    ]);
    expect(compatibleEventSchema.safeParse(JSON.parse(last)).success).toBe(true);
    // An event without a run belongs to the last one, at its turn.
    const { events } = await appendEvent(log, {
      kind: 'world.observed',
      actor: 'system',
      payload: { text: 'u' },
    });
    expect(JSON.parse(events[0]?.text ?? '')).toMatchObject({ run_id: 'new', turn: 0 });
  });

  test('an id is the handle of its event', async () => {
    const log = copyOf(LEDGER);
    const stored = JSON.parse(readFileSync(log, 'utf8').split('\n')[0] ?? '') as Record<string, unknown>;
    expect(await appendEvent(log, stored)).toMatchObject({ events: [{ line: 1, isNew: false }] });
    expect(await failureOf(appendEvent(log, { ...stored, actor: 'else' }))).toMatchObject({
      code: 'event-invalid',
    });
    expect(await failureOf(appendEvent(log, { ...spoken, run_id: 'never' }))).toMatchObject({
      code: 'event-invalid',
    });
    await appendEvent(log, [opening, { ...spoken, turn: 3 }]);
    expect(await failureOf(appendEvent(log, { ...spoken, turn: 2 }))).toMatchObject({
      code: 'event-invalid',
    });
    const twice = await appendEvent(log, [
      { ...spoken, id: 'one' },
      { ...spoken, id: 'one' },
    ]);
    expect(twice.events.map(({ isNew }) => isNew)).toEqual([true, false]);
  });

  test.each([
    [{ ...opening, turn: 0 }, /the run already started on line 1/],
    [{ ...spoken, session_id: 'other' }, /belongs to another session than the earlier events of this run/],
    [{ ...spoken, run_id: 7 }, /run_id must be/],
  ])('refuses %j in a run that has begun', async (bad, message) => {
    const log = join(tempDir(), 'ledger.jsonl');
    await appendEvent(log, { ...opening, session_id: 's' }, { dialect: 'fishbowl' });
    expect(String(await failureOf(appendEvent(log, bad)))).toMatch(message);
  });

  test('events after the end of a run are appended only with a reason, in its session', async () => {
    const log = join(tempDir(), 'ledger.jsonl');
    const end = { ...spoken, kind: 'run.finished', payload: { reason: 'budget', turns: 0, tokens: 0 } };
    const { remarks } = await appendEvent(log, [{ ...opening, session_id: 's' }, end], {
      dialect: 'fishbowl',
    });
    expect(remarks).toEqual([]);
    expect(await failureOf(appendEvent(log, spoken))).toMatchObject({
      message: 'event 1 is not appended: the run ended on line 2, but world.observed follows',
      hint: expect.stringMatching(/--force and a reason/),
    });
    const after = await appendEvent(log, spoken, { force: 'a visitor came late' });
    expect(after.remarks).toEqual([
      'event 1 is appended anyway (a visitor came late): the run ended on line 2, but world.observed follows',
    ]);
    expect(JSON.parse(after.events[0]?.text ?? '')).toMatchObject({ session_id: 's' });
  });

  test('an event has the members that the last event of its ledger has', async () => {
    const log = join(tempDir(), 'ledger.jsonl');
    const eight = ['id', 'run_id', 'turn', 'kind', 'actor', 'payload', 'created_at', 'schema_version'];
    const stored = { id: 'a', ...opening, created_at: '2026-06-01T00:00:00Z', schema_version: 1 };
    const members = () =>
      readFileSync(log, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => Object.keys(JSON.parse(line) as object));
    writeFileSync(log, `${JSON.stringify(stored)}\n`);
    // A null of a newer engine says nothing, and does not make the event another one.
    await appendEvent(log, [{ ...stored, model_id: null }, spoken, { ...spoken, model_id: null }]);
    expect(members().map((names) => names.toSorted())).toEqual([1, 2, 3].map(() => eight.toSorted()));
    expect(members()[1]).toEqual(eight);
    // Old readers refuse the new members, but verify reports nothing.
    const { remarks } = await appendEvent(log, { ...spoken, model_id: 'm1', session_id: 's' });
    expect(remarks).toEqual([
      'event 1 is of a newer form: the earlier events have no session_id, and old readers refuse it',
      'event 1 is of a newer form: the earlier events have no model_id, and old readers refuse it',
    ]);
    await appendEvent(log, spoken);
    expect(members().at(-1)).toEqual([...eight, 'session_id', 'model_id']);
  });

  /** A run of two teams, one of them the spies. */
  const versus = {
    ...opening,
    payload: {
      seed: 's',
      cast: { ann: { model_endpoint: 'm1' }, bob: {}, judge: {} },
      competition: { kind: 'versus', teams: { spy: ['ann'], crew: ['bob'] } },
    },
  };
  const judged = (payload: object) => ({
    ...spoken,
    kind: 'judge.verdict',
    actor: 'judge',
    payload: { text: 't', ...payload },
  });

  test.each<[string, object]>([
    ['schema_version is 0', { ...spoken, schema_version: 0 }],
    ['schema_version is 2', { ...spoken, schema_version: 2 }],
    ['turn 1 comes after turn 2 of the same run', { ...spoken, turn: 1 }],
    ['not in the cast of this run, nor its', { ...spoken, actor: 'eve' }],
    ['`ann` is not a team', judged({ winner: 'ann' })],
    ['the accused `eve` is not in the cast', judged({ winner: 'crew', accused: 'eve' })],
    [
      'winner is "spy", but a run without a verdict',
      { ...spoken, kind: 'run.finished', payload: { winner: 'spy' } },
    ],
  ])('refuses what verify would report: %s', async (message, event) => {
    const log = join(tempDir(), 'ledger.jsonl');
    await appendEvent(log, [versus, { ...spoken, turn: 2 }], { dialect: 'fishbowl' });
    const before = await told(log);
    expect(String(await failureOf(appendEvent(log, event)))).toContain(message);
    expect(await told(log)).toEqual(before);
    await appendEvent(log, event, { force: 'to see it reported' });
    expect((await told(log)).length).toBeGreaterThan(before.length);
  });

  test('appends a run of teams from its beginning to its end, and verify reports nothing', async () => {
    const log = join(tempDir(), 'ledger.jsonl');
    const end = (payload: object) => ({ ...spoken, kind: 'run.finished', actor: 'conductor', payload });
    await appendEvent(
      log,
      [
        versus,
        { ...spoken, actor: 'ann', kind: 'agent.spoke' },
        end({ reason: 'budget', winner: null }),
        judged({ winner: 'crew', accused: 'ann', correct: true, scores: { bob: 7 } }),
        end({ reason: 'verdict', winner: 'crew', winner_kind: 'team', winning_models: [] }),
      ],
      { dialect: 'fishbowl' },
    );
    expect(await told(log)).toEqual([]);
  });

  test('an event without a run is refused, and one in a damaged ledger begins no run', async () => {
    const dir = writeTree({ 'ledger.jsonl': '{"id":"a","turn":1,"kind":"agent.spoke","payload":{}}\n' });
    const log = join(dir, 'ledger.jsonl');
    const { run_id: _, ...nameless } = opening;
    expect(String(await failureOf(appendEvent(log, nameless, { dialect: 'fishbowl' })))).toMatch(
      /run_id is missing/,
    );
    const odd = { ...opening, id: 'b', turn: 'x', schema_version: 1, created_at: '2026-06-01T00:00:00Z' };
    writeFileSync(log, `${JSON.stringify(odd)}\n`);
    const { events } = await appendEvent(log, spoken, { dialect: 'fishbowl' });
    expect(JSON.parse(events[0]?.text ?? '')).toMatchObject({ run_id: 'new', turn: 0 });
  });
});

describe('coordinator', () => {
  const LOG = 'coordinator/interrupted-session1.jsonl';
  const event = {
    event_type: 'usage_check',
    details: { utilisation: 1, remaining: 99, resets_at: 'unknown' },
  };

  test('CO-010: the bytes before stay a prefix of the log after each append', async () => {
    const log = copyOf(LOG, 'event-log.jsonl');
    const writer = await openWriter(log);
    for (let times = 0; times < 5; times += 1) {
      const before = readFileSync(log);
      await writer.append(event);
      expect(readFileSync(log).subarray(0, before.length).equals(before)).toBe(true);
    }
  });

  test('CO-011: with --each an event is on the disk before the next one is read', async () => {
    const log = copyOf(LOG, 'event-log.jsonl');
    const lines = () => readFileSync(log, 'utf8').trimEnd().split('\n').length;
    const before = lines();
    const running = start(['append', log, '--each'], { keepInput: true });
    for (let step = 1; step <= 3; step += 1) {
      const task = `step-${step}`;
      running.child.stdin?.write(`${JSON.stringify({ ...event, task_id: task })}\n`);
      await running.sees(task);
      expect(lines()).toBe(before + step);
      expect(readFileSync(log, 'utf8').trimEnd().split('\n').at(-1)).toContain(task);
    }
    running.child.stdin?.end();
    expect((await running.finished()).code).toBe(0);
  });

  test('fills in the envelope, and verify has no finding about it', async () => {
    const log = copyOf(LOG, 'event-log.jsonl');
    const last = JSON.parse(readFileSync(log, 'utf8').trimEnd().split('\n').at(-1) ?? '') as Record<
      string,
      unknown
    >;
    expect(await addedFindings(log, event)).toEqual([]);
    const { events } = await appendEvent(log, event);
    expect(JSON.parse(events[0]?.text ?? '')).toMatchObject({
      ...event,
      sequence: Number(last['sequence']) + 2,
      session_id: last['session_id'],
      agent_id: null,
      task_id: null,
    });
  });

  test.each([
    [{ ...event, plan_file: 'x' }, /plan_file belongs in details/],
    [{ event: 'usage_check' }, /belongs in `event_type`/],
    [{ ...event, sequence: 1 }, /the next sequence is/],
    [{ ...event, timestamp: '2001-01-01T00:00:00Z' }, /earlier event has the later time/],
    [{ ...event, details: 'x' }, /details must be/],
    [{ details: {} }, /event_type must be/],
  ])('refuses %j', async (bad, message) => {
    const log = copyOf(LOG, 'event-log.jsonl');
    expect(String(await failureOf(appendEvent(log, bad)))).toMatch(message);
  });

  /** A log of the coordinator with these events, as its own writer may have left them. */
  const logOf = (...events: object[]): string =>
    join(
      writeTree({ 'event-log.jsonl': events.map((one) => `${JSON.stringify(one)}\n`).join('') }),
      'event-log.jsonl',
    );
  const opened = {
    timestamp: '2026-01-17T09:00:00Z',
    sequence: 1,
    session_id: 's1',
    event_type: 'session_start',
    agent_id: null,
    task_id: null,
    details: { plan_file: 'p.md', total_tasks: 1 },
  };
  const stored = (text = '') => JSON.parse(text) as Record<string, unknown>;

  test('a time is written in the form and on the clock of the previous ones', async () => {
    const local = logOf({ ...opened, timestamp: '2026-01-17T09:00:00.000000' });
    const { events } = await appendEvent(local, event);
    expect(stored(events[0]?.text)['timestamp']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}000$/);
    // Without an offset it is on the clock of this machine.
    const ms = Date.parse(String(stored(events[0]?.text)['timestamp']).slice(0, -3));
    expect(Math.abs(ms - Date.now())).toBeLessThan(7_200_000);
    const zoned = await appendEvent(logOf({ ...opened, timestamp: '2026-01-17T09:00:00+02:00' }), event);
    expect(stored(zoned.events[0]?.text)['timestamp']).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  test('a slow clock does not put an event before the last one', async () => {
    const ahead = { ...opened, timestamp: '2999-01-01T00:00:00Z' };
    const { events } = await appendEvent(logOf(ahead), event);
    expect(stored(events[0]?.text)['timestamp']).toBe(ahead.timestamp);
    // An invalid time is not compared.
    const odd = await appendEvent(logOf({ ...opened, timestamp: 'noon' }), [
      { ...event, timestamp: '2001-01-01T00:00:00' },
    ]);
    expect(stored(odd.events[0]?.text)['timestamp']).toBe('2001-01-01T00:00:00');
  });

  test('events without a number are counted, and those without a session belong to the previous one', async () => {
    const { sequence: _, ...nameless } = { ...opened, session_id: null, timestamp: null };
    const { events } = await appendEvent(logOf(opened, nameless), { ...event, idempotencyKey: 'k' });
    expect(stored(events[0]?.text)).toMatchObject({ sequence: 3, session_id: 's1', idempotencyKey: 'k' });
  });

  const details = {
    files_modified: [],
    files_to_review: [],
    files_to_audit: [],
    blocked_by: [],
    reason: 'r',
    last_state: 's',
  };
  const of = (event_type: string, task_id: string | null, agent_id: string | null, more: object = {}) => ({
    event_type,
    task_id,
    agent_id,
    details: { ...details, evidence_summary: 'e', review_summary: 'ok', ...more },
  });
  const sent = of('developer_dispatched', '1', 'dev');
  const audit = of('auditor_dispatched', '1', 'aud');
  const done = of('task_complete', '1', 'aud');
  const over = of('workflow_complete', null, null, { total_tasks: 1, compactions: 0, session_resumes: 0 });

  test.each<[string, object[], object, RegExp]>([
    ['an older name', [], of('auditor_pass', '1', 'a'), /is a name from older logs/],
    ['a type that nobody knows', [], of('never_heard_of', null, null), /is not documented/],
    [
      'missing details',
      [],
      { event_type: 'usage_check' },
      /usage_check lacks utilisation, remaining, resets_at/,
    ],
    ['a completion of no task', [], of('task_complete', null, 'aud'), /task_complete lacks task_id/],
    [
      'a completion whose details say that there is no task',
      [],
      of('task_complete', null, 'aud', { task_id: null }),
      /task_complete lacks task_id/,
    ],
    [
      'two ids for one task',
      [],
      of('developer_dispatched', '1', 'dev', { task_id: '2' }),
      /task_id is "1" at the top of the event and "2" in its details/,
    ],
    [
      'a detail of another type',
      [],
      { event_type: 'compaction_complete', details: { compaction_number: 1, full_reload: 'yes' } },
      /details\.full_reload must be/,
    ],
    ['a session that nobody opened', [], { ...sent, session_id: 's9' }, /s9 was neither started nor resumed/],
    [
      'a session after one that is not there',
      [],
      {
        event_type: 'session_resumed',
        details: {
          previous_session_id: 's7',
          state_saved_at: 'x',
          in_progress_tasks_count: 0,
          pending_audit_count: 0,
          completed_tasks_count: 0,
        },
      },
      /the previous session is not in this log/,
    ],
    ['work that nobody began', [], audit, /of task 1, but no developer was ever sent to it/],
    ['a completed task that is begun again', [sent, audit, done], sent, /task 1 was complete on line 4/],
    [
      'a task that its developer completes',
      [sent, of('critic_dispatched', '1', 'crit')],
      of('task_complete', '1', 'dev'),
      /completed by dev, who worked on it, but no auditor/,
    ],
    ['an end with an open task', [sent], over, /begun and not completed: 1/],
    [
      'what comes after the end',
      [sent, audit, done, over],
      event,
      /the workflow was complete on line 5, but usage_check/,
    ],
  ])('refuses %s, which verify reports, unless a reason is given', async (_, before, bad, message) => {
    const log = logOf(opened);
    if (before.length > 0) await appendEvent(log, before);
    const known = await told(log);
    expect(known).toEqual([]);
    expect(String(await failureOf(appendEvent(log, bad)))).toMatch(message);
    const { remarks } = await appendEvent(log, bad, { force: 'a drill' });
    expect(remarks.join()).toMatch(/appended anyway \(a drill\)/);
    expect(await told(log)).not.toEqual([]);
  });

  test('appends a plan from its beginning to its end, with a checkpoint and a new audit', async () => {
    const again = of('task_reverification_required', '1', null, {
      completed_at: 'x',
      last_event_time: 'x',
      time_since_completion_minutes: 1,
    });
    const log = logOf(opened);
    await appendEvent(log, [sent, audit, done, again, audit, done, over]);
    expect(await told(log)).toEqual([]);
    const rebuilt = {
      event_type: 'state_checkpoint',
      details: { completed_tasks: ['1'], in_progress_tasks: [], available_tasks: [] },
    };
    const made = logOf(opened);
    await appendEvent(made, [rebuilt, of('auditor_dispatched', '1', 'aud')]);
    expect(readFileSync(made, 'utf8').trimEnd().split('\n')).toHaveLength(3);
  });

  test('a new session gets an id, and an unknown type needs a reason', async () => {
    const dir = tempDir();
    const opened = await runHere([
      'append',
      dir,
      '--dialect',
      'coordinator',
      '--event',
      '{"event_type":"session_start","details":{"plan_file":"p.md","total_tasks":1}}',
    ]);
    expect(opened.code).toBe(0);
    expect(JSON.parse(opened.stdout)).toMatchObject({
      sequence: 1,
      session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    const odd = ['append', dir, '--event', '{"event_type":"never_heard_of"}'];
    expect(await runHere(odd)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/--force and a reason/),
    });
    const forced = await runHere([...odd, '--force', 'a drill']);
    expect([forced.code, forced.stderr]).toEqual([0, expect.stringMatching(/is not documented/)]);
  });
});

test('the first event of a plan opens a session', async () => {
  const log = join(tempDir(), 'event-log.jsonl');
  expect(String(await failureOf(appendEvent(log, { event_type: 'usage_check', details: {} })))).toMatch(
    /session_id must be/,
  );
});

test('a log of a format without rules for writing is refused', async () => {
  const log = join(tempDir(), 'other.jsonl');
  writeFileSync(log, '{"a":1}\n');
  expect(await runHere(['append', log, '--event', '{}'])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/cannot append to a log of this dialect/),
  });
});
