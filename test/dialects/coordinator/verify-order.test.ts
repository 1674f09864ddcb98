import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/json/value.ts';
import { verifyCoordinator } from '../../../src/dialects/coordinator/verify.ts';
import { times } from '../../support/length.ts';
import { brief, verifyEvents, verifyText } from '../verify-events.ts';
import { complete, dispatch, happened, log, resume, start, wholeTask } from './logs.ts';

const findings = async (events: readonly JsonObject[]) =>
  brief(await verifyEvents(verifyCoordinator, log(events)));

const empty = happened('session_start', { plan_file: 'p.md', total_tasks: 0 });

describe('sequences', () => {
  const numbers = async (...given: [number, string?][]) => {
    const events = given.map(([sequence, session = 's1'], index) => ({
      ...(index === 0 || given[index - 1]?.[1] !== given[index]?.[1]
        ? index === 0
          ? start
          : resume('s1', session)
        : dispatch(`${index}`, `d${index}`)),
      sequence,
      session_id: session,
    }));
    const report = await verifyEvents(verifyCoordinator, log(events));
    return report.findings.map(
      ({ code, line, severity, message }) => `${severity} ${code} ${line}: ${message}`,
    );
  };
  const plain = (...values: number[]) => numbers(...values.map((value): [number] => [value]));

  test('may rise from any number', async () => {
    expect(await plain(7, 8, 9)).toEqual([]);
  });

  test('a gap is reported as a range', async () => {
    expect(await plain(1, 2, 6, 7)).toEqual([expect.stringMatching(/^warn sequence\/gap 3: .*3 to 5 are/)]);
  });

  test('repeated numbers are one finding', async () => {
    expect(await plain(1, 2, 3, 1, 2, 3, 4)).toEqual([
      expect.stringMatching(/^warn sequence\/duplicate 4: sequence 1 to 3, down to line 6, is repeated/),
    ]);
  });

  test('a number that comes late fills its gap', async () => {
    expect(await plain(1, 3, 2, 4)).toEqual([
      expect.stringMatching(/^warn sequence\/backwards 3: sequence 2 comes late/),
    ]);
  });

  test('a number below the first comes late', async () => {
    expect(await plain(5, 4)).toEqual([expect.stringMatching(/^warn sequence\/backwards 2/)]);
  });

  test('a new session may begin at 1 again, the same one may not', async () => {
    expect(await numbers([1], [2], [1, 's2'], [2, 's2'])).toEqual([]);
    expect(await numbers([1], [2], [3, 's2'])).toEqual([]);
    expect(await numbers([1], [2], [2, 's2'])).toEqual([
      expect.stringMatching(/^warn sequence\/duplicate 3/),
    ]);
  });

  test('a gap of the previous session stays a gap', async () => {
    expect(await numbers([1], [3], [1, 's2'], [3, 's2'])).toEqual([
      expect.stringMatching(/^warn sequence\/gap 2: the number 2 is missing before this event/),
      expect.stringMatching(/^warn sequence\/gap 4: the number 2 is missing before this event/),
    ]);
  });

  test('are reported exactly if they do not rise by one', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 10 }),
        async (values) => {
          const rises = values.every((value, index) => index === 0 || value === (values[index - 1] ?? 0) + 1);
          expect((await plain(...values)).length === 0).toBe(rises);
        },
      ),
      { numRuns: times(40, 10) },
    );
  });
});

describe('sessions', () => {
  test.each<[string, JsonObject[], string[]]>([
    ['resumed from one before it', [start, resume('s1', 's2')], []],
    ['resumed from nowhere', [start, resume('s0', 's2')], ['warn lineage/session 2']],
    ['resumed from itself', [start, resume('s2', 's2')], ['warn lineage/session 2']],
    ['resumed from a recovered state', [start, resume('recovered', 's2')], []],
    ['never opened', [start, { ...dispatch('1', 'd'), session_id: 's2' }], ['warn order/session-unopened 2']],
    ['opened late', [{ ...dispatch('1', 'd') }, start], []],
    [
      'with events after its end',
      [
        empty,
        happened('workflow_complete', { total_tasks: 0, compactions: 0, session_resumes: 0 }),
        dispatch('1', 'd'),
        dispatch('2', 'e'),
      ],
      ['warn order/after-terminate 3'],
    ],
    [
      'that go on in the next one',
      [
        empty,
        happened('workflow_complete', { total_tasks: 0, compactions: 0, session_resumes: 0 }),
        resume('s1', 's2'),
      ],
      [],
    ],
    [
      'of a recreated log',
      [
        {
          event_type: 'event_log_reconstructed',
          session_id: null,
          reason: 'lost',
          state_file_timestamp: 'x',
        },
        {
          event_type: 'state_checkpoint',
          session_id: null,
          completed_tasks: ['1'],
          in_progress_tasks: ['2'],
          available_tasks: [],
        },
        resume('s9', 's1'),
        complete('2'),
      ],
      [],
    ],
  ])('%s', async (_, events, expected) => expect(await findings(events)).toEqual(expected));

  test('events after the end of the workflow are counted', async () => {
    const done = happened('workflow_complete', { total_tasks: 0, compactions: 0, session_resumes: 0 });
    const messages = async (...events: JsonObject[]) =>
      (await verifyEvents(verifyCoordinator, log([empty, done, ...events]))).findings.map(
        ({ message }) => message,
      );
    const one = 'the workflow was complete on line 2, but one event of the session follows';
    expect(await messages(dispatch('1', 'd'))).toEqual([one]);
    const two = 'the workflow was complete on line 2, but 2 events of the session follow';
    expect(await messages(dispatch('1', 'd'), dispatch('2', 'e'))).toEqual([two]);
  });

  test('neighbouring records without a session are one finding', async () => {
    const lost = { ...dispatch('1', 'd'), session_id: null };
    const report = await verifyEvents(
      verifyCoordinator,
      log([start, lost, { ...lost, agent_id: 'e' }, start, { ...lost, agent_id: 'f' }]),
    );
    expect(brief(report)).toEqual([
      'error event/missing-field 2',
      'warn order/start-repeated 4',
      'error event/missing-field 5',
    ]);
  });

  test('the head of a log may be of an older revision, its tail may not', async () => {
    const old = { ...happened('developer_complete', { task_id: '1', agent_id: 'd' }), session_id: null };
    const oldStart = { ...start, session_id: null };
    const oldDispatch = { ...dispatch('1', 'd'), session_id: null };
    expect(await findings([oldStart, oldDispatch, old, resume('s1', 's1')])).toEqual([
      'info event/missing-field 1',
      'warn lineage/session 4',
    ]);
    // After a session id an old name is unknown.
    expect(await findings([start, oldDispatch, old])).toEqual([
      'error event/missing-field 2',
      'warn event/unknown-type 3',
    ]);
    expect(await findings([oldStart, oldDispatch])).toEqual(['error event/missing-field 1']);
    // A start in the older form that names a session does not begin one.
    const marked = happened('session_start', { plan_file: 'p.md', total_tasks: 1, resumed_from: 'x' });
    expect(await findings([marked, oldDispatch])).toEqual(['error event/missing-field 2']);
  });
});

describe('the flow of tasks', () => {
  test.each<[string, JsonObject[], string[]]>([
    [
      'completed without a dispatch, twice',
      [start, complete('9'), complete('9')],
      ['warn order/undispatched 2', 'warn order/redispatched 3'],
    ],
    [
      'dispatched under another name',
      [start, happened('agent_dispatched', { task_id: '9' }), complete('9')],
      ['info event/unknown-type 2'],
    ],
    [
      'dispatched again after completion',
      [start, ...wholeTask('1'), dispatch('1', 'x')],
      ['warn order/redispatched 8'],
    ],
    [
      'verified again after a resume',
      [
        start,
        ...wholeTask('1'),
        happened('task_reverification_required', {
          task_id: '1',
          completed_at: 'x',
          last_event_time: 'y',
          time_since_completion_minutes: 1,
        }),
        happened('auditor_dispatched', { task_id: '1', agent_id: 'aud-2', files_to_audit: [] }),
        complete('1', 'aud-2'),
      ],
      [],
    ],
    [
      'given to an agent that is busy',
      [start, dispatch('1', 'd'), dispatch('2', 'd')],
      ['warn order/agent-busy 3'],
    ],
    [
      'given to an agent of the session before',
      [start, dispatch('1', 'd'), resume('s1', 's2'), { ...dispatch('2', 'd'), session_id: 's2' }],
      [],
    ],
    [
      'given to an agent that is free again',
      [
        start,
        dispatch('1', 'd'),
        happened('developer_ready_for_review', { task_id: '1', agent_id: 'd', files_modified: [] }),
        dispatch('2', 'd'),
      ],
      [],
    ],
  ])('%s', async (_, events, expected) => expect(await findings(events)).toEqual(expected));
});

describe('an end needs a beginning', () => {
  const begins = (number: JsonValue) =>
    happened('compaction_start', { compaction_number: number, context_remaining: 9 });
  const ends = (number: JsonValue) =>
    happened('compaction_complete', { compaction_number: number, full_reload: false });
  const block = happened('infrastructure_blocked', { reported_by: 'd', issue_type: 'i', blocked_tasks: [] });
  const restored = happened('infrastructure_restored', { attempts_used: 1, fixes_applied: [] });
  const passed = happened('health_audit_pass', { agent_id: 'h' });
  const auditorBlocked = happened('auditor_blocked', {
    task_id: 't',
    agent_id: 'a',
    pre_existing_failures: [],
  });
  const missed = async (...events: JsonObject[]) => findings([start, ...events]);

  test('compactions by their numbers, over sessions', async () => {
    expect(
      await missed(begins(1), ends(1), begins(2), resume('s1', 's2'), { ...ends(2), session_id: 's2' }),
    ).toEqual([]);
    expect(await missed(begins(1), begins(2))).toEqual([]);
    expect(await missed(ends(1))).toEqual(['info order/end-without-start 2']);
    expect(await missed(begins(1), ends(2))).toEqual(['info order/end-without-start 3']);
    expect(await missed(begins(1), ends(1), ends(1))).toEqual(['info order/end-without-start 4']);
    const nameless = happened('compaction_complete', { compaction_number: null, full_reload: true });
    expect(await missed(nameless)).toEqual(['info event/field-type 2']);
  });

  test('blocks, in every form that reports them', async () => {
    expect(await missed(block, restored)).toEqual([]);
    expect(await missed(dispatch('t', 'd'), auditorBlocked, block, passed, restored)).toEqual([]);
    expect(await missed(restored)).toEqual(['info order/end-without-start 2']);
    expect(await missed(block, restored, restored)).toEqual(['info order/end-without-start 4']);
  });

  test('unless the log was recreated, or is damaged', async () => {
    expect(
      await missed(happened('event_log_reconstructed', { reason: 'r', state_file_timestamp: 't' }), ends(7)),
    ).toEqual([]);
    const torn = await verifyText(
      verifyCoordinator,
      `${log([start, ends(7)])
        .map((event) => `${JSON.stringify(event)}\n`)
        .join('')}{"torn"`,
    );
    expect(brief(torn).filter((line) => line.includes('end-without-start'))).toEqual([]);
  });
});
