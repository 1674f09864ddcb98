import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { CoordinatorProjector } from '../../../src/dialects/coordinator/projection.ts';
import { EVENT_TYPES } from '../../../src/dialects/coordinator/vocabulary.ts';
import { complete, dispatch, happened, log, project, start } from './logs.ts';

const SAMPLES = join(import.meta.dirname, '../../samples/coordinator');

const tasks = (events: readonly JsonObject[]) =>
  project(log(events)).value['tasks'] as Record<string, JsonObject>;

const read = (name: string) =>
  readFileSync(join(SAMPLES, name), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as JsonObject);

describe('the samples', () => {
  test('two sessions give one board with all their events', () => {
    expect(project(read('nested-two-sessions.jsonl')).value).toMatchObject({
      tasks: {
        '1-1-1': {
          status: 'complete',
          attempts: 2,
          critique_failures: 1,
          critic_timeouts: 1,
          reverifications: 1,
        },
        '1-1-2': { status: 'complete', attempts: 2, restarts: 1, incomplete: 1 },
        '2-1-1': {
          status: 'complete',
          attempts: 1,
          audit_failures: 1,
          expansion: { status: 'done', confidence: 'HIGH' },
        },
        '2-1-2': { status: 'complete', attempts: 1 },
      },
      sessions: [
        { opened_by: 'session_start', events: 49, end: 'paused', compactions: 1 },
        { opened_by: 'session_resumed', events: 26, end: 'complete' },
      ],
      experts: { 'exp-1': { name: 'schema-expert', completions: 1, active_runs: [] } },
      infrastructure: { blocked: false, issue: null, remediation: null },
      guidance: [{ task: '1-1-2', question: 'reject or clamp?', response: 'reject' }],
    });
  });

  test('a task of a killed session keeps its last status', () => {
    expect(project(read('interrupted-session1.jsonl')).value['tasks']).toMatchObject({
      '1-1-1': { status: 'complete' },
      '1-1-2': { status: 'awaiting_guidance', attempts: 1 },
      '2-1-1': { status: 'available', attempts: 0 },
    });
  });

  test('old names have their new meaning', () => {
    expect(project(read('old-names-2026-01-11.jsonl')).value).toMatchObject({
      tasks: { '1': { status: 'complete', attempts: 1, completed_at: '2026-01-17T10:20:00Z' } },
      sessions: [
        { session_id: null, opened_by: 'session_start' },
        { opened_by: 'session_resumed', end: 'complete' },
      ],
    });
  });
});

describe('the rest', () => {
  test('a checkpoint of a log that was written again counts', () => {
    const checkpoint = {
      event_type: 'state_checkpoint',
      completed_tasks: ['1'],
      in_progress_tasks: [{ task_id: '2' }],
      available_tasks: [3],
    };
    expect(tasks([checkpoint])).toMatchObject({
      1: { status: 'complete' },
      2: { status: 'in_progress' },
      3: { status: 'available' },
    });
  });

  test('questions are answered one after the other', () => {
    const ask = (question: string) =>
      happened('agent_seeks_guidance', { task_id: '1', agent_id: 'd', question });
    const answer = (response: string) => happened('divine_response_received', { task_id: '1', response });
    const pray = happened('coordinator_prays', { task_id: '2', question: 'alone' });
    expect(
      project(log([ask('a'), answer('A'), ask('b'), answer('B'), pray])).value['guidance'],
    ).toMatchObject([
      { question: 'a', response: 'A' },
      { question: 'b', response: 'B' },
      { task: '2', question: 'alone', response: null },
    ]);
  });

  test('an answer without a time still counts', () => {
    const ask = happened('agent_seeks_guidance', { task_id: '1', agent_id: 'd', question: 'a' });
    const answer = happened('divine_response_received', { task_id: '1', response: 'A' });
    expect(project([ask, answer]).value['guidance']).toEqual([
      { task: '1', agent: 'd', question: 'a', response: 'A' },
    ]);
  });

  test('remediation is followed in any order of its reports', () => {
    const state = (...events: JsonObject[]) => project(log(events)).value['infrastructure'];
    const block = happened('infrastructure_blocked', { reported_by: 'a', issue_type: 'lint' });
    const mend = happened('remediation_dispatched', { agent_id: 'rem', issue_type: 'lint', attempt: 2 });
    expect(state(block, mend)).toMatchObject({
      blocked: true,
      issue: 'lint',
      reported_by: 'a',
      remediation: { agent: 'rem', attempt: 2 },
    });
    expect(state(block, mend, happened('remediation_complete', { agent_id: 'rem' }))).toMatchObject({
      blocked: true,
      remediation: { attempt: 2 },
    });
    expect(state(block, mend, happened('health_audit_pass'))).toMatchObject({
      blocked: false,
      remediation: null,
    });
  });

  test('delegations are counted for the expert', () => {
    const run = (type: string, id: string) => happened(type, { agent_id: 'exp', run_id: id });
    const experts = (...events: JsonObject[]) => project(log(events)).value['experts'];
    expect(
      experts(run('expert_delegated', 'r1'), run('expert_delegated', 'r2'), run('expert_failed', 'r1')),
    ).toEqual({
      exp: { completions: 0, failures: 1, out_of_scope: 0, active_runs: ['r2'] },
    });
    expect(
      experts(run('expert_delegated', 'r1'), run('expert_out_of_scope', 'r1'), run('expert_complete', 'r2')),
    ).toEqual({
      exp: { completions: 1, failures: 0, out_of_scope: 1, active_runs: [] },
    });
    const former = { ...run('supporting_agent_created', 'r'), session_id: null };
    expect(experts(former)).toMatchObject({ exp: {} });
    expect(experts(run('supporting_agent_created', 'r'))).toEqual({});
  });

  test('an expert without an id is known by its name, and a delegation counts once', () => {
    const created = {
      ...happened('expert_created', { name: 'sql', domain: 'databases' }),
      timestamp: null,
    };
    const sent = happened('expert_delegated', { name: 'sql', run_id: 'r1' });
    const nobody = happened('expert_delegated', { run_id: 'r1' });
    expect(project(log([created, sent, sent, nobody])).value['experts']).toEqual({
      sql: {
        name: 'sql',
        domain: 'databases',
        completions: 0,
        failures: 0,
        out_of_scope: 0,
        active_runs: ['r1'],
      },
    });
  });

  test('each value names its line', () => {
    const { evidence } = project(log([start, dispatch('1-1-1', 'd'), complete('1-1-1')]));
    expect(evidence.of('tasks.1-1-1.status')).toEqual({ line: 3 });
    expect(evidence.of('sessions[0].events')).toEqual({ line: 3 });
  });

  test('a state without any part of the log is not compared', () => {
    expect(new CoordinatorProjector().compare({ current_task: 'x' })).toMatchObject({
      compared: [],
      differences: [],
      not_compared: expect.arrayContaining([{ path: 'current_task', reason: 'not compared by noesis' }]),
      underivable: [],
    });
  });

  test('nothing makes it throw', () => {
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom(...EVENT_TYPES.keys(), '1', '__proto__'));
    const key = fc.constantFrom(
      'timestamp',
      'session_id',
      'event_type',
      'agent_id',
      'task_id',
      'details',
      'run_id',
      '__proto__',
    );
    fc.assert(
      fc.property(fc.array(fc.dictionary(key, value)), (events) => {
        expect(() => JSON.stringify(project(events as JsonObject[]).value)).not.toThrow();
      }),
    );
  });
});
