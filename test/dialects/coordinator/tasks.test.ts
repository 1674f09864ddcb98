import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { EVENT_TYPES } from '../../../src/dialects/coordinator/vocabulary.ts';
import { complete, dispatch, happened, log, project, resume, start, wholeTask } from './logs.ts';

const tasks = (events: readonly JsonObject[]) =>
  project(log(events)).value['tasks'] as Record<string, JsonObject>;

describe('a task', () => {
  const sent = dispatch('1', 'd');
  const ready = happened('developer_ready_for_review', { task_id: '1', agent_id: 'd' });
  const critic = happened('critic_dispatched', { task_id: '1', agent_id: 'c' });
  const pass = happened('critic_pass', { task_id: '1', agent_id: 'c' });
  const auditor = happened('auditor_dispatched', { task_id: '1', agent_id: 'a' });

  test.each<[string, JsonObject[], JsonObject]>([
    [
      'is worked on',
      [sent],
      { status: 'in_progress', agent: 'd', attempts: 1, since: '2026-01-17T09:00:00Z' },
    ],
    [
      'awaits review',
      [sent, ready],
      { status: 'awaiting_review', attempts: 1, since: '2026-01-17T09:00:01Z' },
    ],
    ['is reviewed', [sent, ready, critic], { status: 'in_review', agent: 'c' }],
    ['awaits audit', [sent, ready, critic, pass], { status: 'awaiting_audit' }],
    ['is audited', [sent, ready, critic, pass, auditor], { status: 'in_audit', agent: 'a' }],
    ['is complete', [sent, complete('1')], { status: 'complete', completed_at: '2026-01-17T09:00:01Z' }],
    [
      'goes back after a review',
      [sent, ready, critic, happened('critic_fail', { task_id: '1' })],
      { status: 'in_progress', critique_failures: 1 },
    ],
    [
      'awaits another critic',
      [sent, ready, critic, happened('critic_timeout', { task_id: '1' })],
      { status: 'awaiting_review', critic_timeouts: 1 },
    ],
    [
      'goes past the critic',
      [sent, ready, happened('critic_bypassed', { task_id: '1' })],
      { status: 'awaiting_audit' },
    ],
    [
      'goes back after an audit',
      [sent, ready, critic, pass, auditor, happened('auditor_fail', { task_id: '1' })],
      { status: 'in_progress', audit_failures: 1 },
    ],
    [
      'is blocked by its auditor',
      [sent, auditor, happened('auditor_blocked', { task_id: '1', pre_existing_failures: ['x'] })],
      { status: 'blocked', issue: ['x'] },
    ],
    [
      'is audited again when that is mended',
      [sent, auditor, happened('auditor_blocked', { task_id: '1' }), happened('infrastructure_restored')],
      { status: 'awaiting_audit' },
    ],
    [
      'is blocked with others',
      [sent, happened('infrastructure_blocked', { blocked_tasks: ['1'], issue_type: 'lint' })],
      { status: 'blocked', issue: 'lint' },
    ],
    [
      'asks',
      [sent, happened('agent_seeks_guidance', { task_id: '1', agent_id: 'd', question: 'q' })],
      { status: 'awaiting_guidance', agent: 'd' },
    ],
    [
      'has its answer',
      [
        sent,
        happened('agent_seeks_guidance', { task_id: '1', agent_id: 'd' }),
        happened('divine_response_received', { task_id: '1', response: 'r' }),
      ],
      { status: 'in_progress', agent: 'd' },
    ],
    [
      'is given up to guidance',
      [sent, happened('developer_incomplete', { task_id: '1', escalate: true })],
      { status: 'awaiting_guidance', incomplete: 1 },
    ],
    [
      'is not given up',
      [sent, happened('developer_incomplete', { task_id: '1', escalate: false })],
      { status: 'in_progress', agent: 'd', incomplete: 1 },
    ],
    [
      'is put back',
      [sent, happened('task_restarted_on_resume', { task_id: '1' })],
      { status: 'available', restarts: 1 },
    ],
    [
      'is audited again',
      [...wholeTask('1'), happened('task_reverification_required', { task_id: '1' })],
      { status: 'awaiting_audit', reverifications: 1 },
    ],
    [
      'queues for a file',
      [sent, happened('task_queued_for_conflict', { task_id: '1' })],
      { status: 'blocked', issue: 'file_conflict' },
    ],
    [
      'has the file',
      [
        sent,
        happened('task_queued_for_conflict', { task_id: '1' }),
        happened('task_unqueued', { task_id: '1' }),
      ],
      { status: 'in_progress' },
    ],
    [
      'loses its agent with the session',
      [sent, ready, critic, resume('s1', 's2')],
      { status: 'awaiting_review' },
    ],
    [
      'is read where it is nested',
      [{ event_type: 'developer_dispatched', details: { task_id: '1', agent_id: 'd' } }],
      { status: 'in_progress', agent: 'd' },
    ],
    [
      'is read where it is flat',
      [sent, { event_type: 'developer_incomplete', task_id: '1', escalate: true }],
      { status: 'awaiting_guidance' },
    ],
    [
      'is read under its legacy name',
      [{ event_type: 'developer_dispatched', task: '1' }],
      { status: 'in_progress' },
    ],
    [
      'has one row after a second dispatch',
      [sent, dispatch('1', 'e')],
      { status: 'in_progress', agent: 'e', attempts: 2 },
    ],
  ])('that %s', (_, events, expected) => {
    const all = tasks([start, ...events]);
    expect(Object.keys(all)).toEqual(['1']);
    const shifted = typeof expected['since'] === 'string' || typeof expected['completed_at'] === 'string';
    expect(shifted ? tasks(events)['1'] : all['1']).toMatchObject(expected);
    if (expected['agent'] === undefined) expect(all['1']).not.toHaveProperty('agent');
  });

  test('that is complete is not blocked by a block that names it', () => {
    const block = happened('infrastructure_blocked', { blocked_tasks: ['1', '2'], issue_type: 'lint' });
    expect(tasks([complete('1'), sent, complete('1'), block])).toMatchObject({
      1: { status: 'complete' },
      2: { status: 'blocked', issue: 'lint' },
    });
  });

  test('is examined by an analyst, whether or not it is named', () => {
    const sentOut = (details: JsonObject) =>
      tasks([happened('business_analyst_dispatched', { task_id: '1', ...details })])['1']?.['expansion'];
    const at = '2026-01-17T09:00:00Z';
    expect(sentOut({ agent_id: 'ba' })).toEqual({ status: 'pending', agent: 'ba', at });
    expect(sentOut({})).toEqual({ status: 'pending', at });
  });

  test('only task_complete completes it', () => {
    const others = [...EVENT_TYPES.keys()].filter(
      (type) => !['task_complete', 'state_checkpoint'].includes(type),
    );
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...others), { maxLength: 30 }), (types) => {
        const events = types.map((type) =>
          happened(type, { task_id: '1', agent_id: 'a', blocked_tasks: ['1'] }),
        );
        expect(tasks([dispatch('1', 'd'), ...events])['1']?.['status']).not.toBe('complete');
      }),
    );
  });

  test('may have any name', () => {
    expect(Object.keys(tasks([dispatch('__proto__', 'd'), dispatch('constructor', 'e')]))).toEqual([
      '__proto__',
      'constructor',
    ]);
  });
});

test('a log of the older form has no critic, and its names are known', () => {
  const old = [start, dispatch('1', 'd'), happened('developer_ready_for_audit', { task_id: '1' })];
  expect(tasks(old.map((event) => ({ ...event, session_id: null })))).toMatchObject({
    1: { status: 'awaiting_audit' },
  });
});

test.each(['auditor_pass', 'developer_complete', 'session_resume'])(
  'CO-039: %s, a name of older logs, completes nothing where events name their session',
  (type) => {
    const events = [start, dispatch('1', 'd'), happened(type, { task_id: '1', agent_id: 'x' })];
    expect(tasks(events)).toMatchObject({ 1: { status: 'in_progress' } });
  },
);
