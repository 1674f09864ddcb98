import { describe, expect, test } from 'vitest';
import { PHASES, RUN_EVENTS } from '../../../src/dialects/noesis/event/vocabulary.ts';
import { verifyEpisode } from '../../../src/library/verify.ts';
import {
  act,
  direction,
  enveloped,
  event,
  observe,
  plan,
  reflect,
  start,
  terminate,
  timeOf,
  told,
  toldOf,
  writeLog,
} from './logs.ts';

const record = (more: Readonly<Record<string, unknown>>) => toldOf('reason', {}, more);

describe('the base record', () => {
  test('EV-017: id is a required text, and unique', async () => {
    expect(await record({ id: undefined })).toEqual(['error event/missing-field id']);
    expect(await record({ id: '' })).toEqual(['error event/missing-field id']);
    expect(await record({ id: 7 })).toEqual(['error event/wrong-type id']);
    expect(await record({ id: 'e1' })).toEqual(['error event/duplicate-id id']);
  });

  test('EV-026: optional fields of the envelope are noted once per log and field, with the count', async () => {
    const bare = enveloped([start, observe, plan, act, terminate]).map(
      ({ id, phase, payload, timestamp }, index) => ({
        id,
        phase,
        payload,
        ...(index === 0 && { timestamp }),
      }),
    );
    const { findings } = await verifyEpisode(
      writeLog(bare.map((one) => `${JSON.stringify(one)}\n`).join('')),
    );
    expect(findings.map(({ line, message }) => `${line} ${message}`)).toEqual([
      '1 episode_id is missing: it is optional, but every runtime writes it (5 records)',
      '1 evidence_ids is missing: it is optional, but every runtime writes it (5 records)',
      '2 timestamp is missing: it is optional, but every runtime writes it (4 records)',
      '5 terminate has no payload.episode_id and no payload.duration_ms, and no record has an episode_id',
    ]);
  });

  test('EV-018: phase is a required text, and 17 are known', async () => {
    expect(PHASES).toHaveLength(17);
    expect(await record({ phase: undefined })).toEqual(['error event/missing-field phase']);
    expect(await record({ phase: ['act'] })).toEqual(['error event/wrong-type phase']);
    const known = await Promise.all(PHASES.map((phase) => toldOf(phase, {}, { event_type: 'x.y' })));
    expect(known.flat().filter((said) => said.includes('unknown-phase'))).toEqual([]);
  });

  test('EV-019: another phase is accepted and noted, also after the end', async () => {
    const own = event('deliberate', { anything: [1, null] });
    expect(await told(start, own)).toEqual(['info event/unknown-phase phase']);
    expect(await told(start, terminate, own)).toEqual(['info event/unknown-phase phase']);
  });

  test('EV-020, EV-073: a runtime event has a type, of an open list', async () => {
    expect(RUN_EVENTS).toEqual(['run.interrupt', 'run.checkpoint', 'run.resume', 'run.state_projection']);
    for (const missing of [undefined, '', null])
      expect(await toldOf('runtime', { status: 'x' }, { event_type: missing })).toEqual([
        'error event/missing-field event_type',
      ]);
    expect(await toldOf('runtime', { status: 'x' }, { event_type: 5 })).toEqual([
      'error event/wrong-type event_type',
    ]);
    expect(await toldOf('runtime', { status: 'x' }, { event_type: 'run.heartbeat' })).toEqual([]);
    expect(await toldOf('runtime', {}, { event_type: 'tool.replayed' })).toEqual([]);
    expect(await record({ event_type: null })).toEqual([]);
  });

  test('EV-021: agent_id is an optional text', async () => {
    expect(await record({ agent_id: undefined })).toEqual([]);
    expect(await record({ agent_id: {} })).toEqual(['error event/wrong-type agent_id']);
  });

  test('EV-022: payload is a required object', async () => {
    for (const wrong of [null, [], 'text', 7])
      expect(await record({ payload: wrong })).toEqual(['error event/wrong-type payload']);
    expect(await record({ payload: undefined })).toEqual(['error event/missing-field payload']);
  });

  test('EV-023: evidence_ids are references, and one to an event must lead to it', async () => {
    const citing = (...evidence: unknown[]) =>
      told(start, observe, event('reason', {}, { evidence_ids: evidence }));
    expect(await citing('event:observe:1', 'runbook:7')).toEqual([]);
    expect(await citing('event:observe:2')).toEqual(['warn lineage/evidence evidence_ids[0]']);
    expect(await citing('a', 5)).toEqual(['error event/wrong-type evidence_ids[1]']);
    expect(await record({ evidence_ids: 'event:observe:1' })).toEqual([
      'error event/wrong-type evidence_ids',
    ]);
  });

  test('EV-024: metrics have two times and a duration, which need not be exact', async () => {
    const metrics = (started_at: unknown, completed_at: unknown, duration_ms: unknown) =>
      record({ metrics: { started_at, completed_at, duration_ms } });
    const [one, two] = [timeOf(1), timeOf(2)];
    expect(await metrics(one, two, 1012.7)).toEqual([]);
    expect(await metrics('2026-03-01T10:42:00.034Z', '2026-03-01T10:42:00.046Z', 12.7)).toEqual([]);
    expect(await metrics(one, two, 1049)).toEqual([]);
    expect(await metrics(one, two, 1051)).toEqual(['warn event/metrics metrics.duration_ms']);
    expect(await metrics('2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z', 86_400_900)).toEqual([]);
    expect(await metrics(two, one, 0)).toEqual(['warn event/metrics metrics.completed_at']);
    expect(await metrics(5, one, '1')).toEqual([
      'error event/wrong-type metrics.started_at',
      'error event/wrong-type metrics.duration_ms',
    ]);
    expect(await metrics('today', one, 1)).toEqual(['error event/timestamp metrics.started_at']);
  });

  test('EV-025: caused_by is an optional id, and an unknown one is reported', async () => {
    expect(await record({ caused_by: 'e1' })).toEqual([]);
    expect(await record({ caused_by: null })).toEqual([]);
    expect(await record({ caused_by: 'gone' })).toEqual(['error lineage/dangling-cause caused_by']);
    expect(await record({ caused_by: 5 })).toEqual(['error event/wrong-type caused_by']);
  });

  test('EV-026: id, phase and payload suffice; other missing members that every runtime writes are noted', async () => {
    const bare = {
      episode_id: undefined,
      agent_id: undefined,
      evidence_ids: undefined,
      timestamp: undefined,
    };
    expect((await record(bare)).sort()).toEqual([
      'info event/missing-field episode_id',
      'info event/missing-field evidence_ids',
      'info event/missing-field timestamp',
    ]);
  });

  test('a faculty is one of four', async () => {
    expect(await record({ faculty: 'insight' })).toEqual([]);
    expect(await record({ faculty: 'memory' })).toEqual(['warn event/vocabulary faculty']);
    expect(await record({ faculty: 5 })).toEqual(['error event/wrong-type faculty']);
  });
});

describe('the order of phases', () => {
  test('EV-081: every episode begins with start, once', async () => {
    expect(await told(observe)).toEqual(['warn order/start-not-first phase']);
    expect(await told(start, observe, start)).toEqual(['error order/start-repeated phase']);
  });

  test('EV-083: the usual loop has no findings', async () => {
    const intuition = event('intuition', { kind: 'hint' });
    const interpret = event('interpret', { signals: ['a'] });
    const learn = event('learn', {
      policy_id: 'p',
      basis: [],
      proposal: [],
      applied: false,
      scope: 'episode',
    });
    expect(await told(start, observe, intuition, interpret, plan, act, reflect, learn, terminate)).toEqual(
      [],
    );
    expect(await told(start, observe, interpret, plan, act, observe, interpret, plan, act, reflect)).toEqual(
      [],
    );
  });

  test('EV-084: insight and memory may follow terminate, and an act may not', async () => {
    expect(await told(start, terminate, event('insight'), event('memory'))).toEqual([]);
    expect(await told(start, terminate, act)).toEqual(['error order/after-terminate phase']);
  });

  test('EV-085: the order is partial: a missing phase is legal, a late one is noted', async () => {
    expect(await told(start, plan, reflect)).toEqual([]);
    expect(await told(start, reflect, act)).toEqual(['info order/phase phase']);
    const late = ['info order/phase phase'];
    const decision = event('governance', { governance_id: 'g', decision: 'allow', policy_id: 'p' });
    expect(await told(start, plan, act, decision)).toEqual(late);
    expect(await told(start, plan, decision, act)).toEqual([]);
    const directed = event('direction', direction);
    expect(await told(start, plan, decision, directed, act)).toEqual([]);
    const learned = { policy_id: 'p', basis: [], proposal: [], applied: false, scope: 'session' };
    expect(await told(start, plan, event('learn', learned), act)).toEqual(late);
    expect(await told(start, event('interpret', { signals: [] }), observe)).toEqual([
      'info order/phase phase',
    ]);
  });

  test('EV-039: intuition comes before interpret and plan, and late it is noted', async () => {
    expect(await told(start, observe, plan, event('intuition', { kind: 'hint' }))).toEqual([
      'info order/phase phase',
    ]);
  });
});

describe('the time of a record', () => {
  test('EV-027: a record without a timestamp is not an error, and its metrics give its time', async () => {
    const metrics = { started_at: timeOf(1), completed_at: timeOf(2), duration_ms: 1000 };
    expect(await record({ timestamp: undefined, metrics })).toEqual(['info event/missing-field timestamp']);
    expect(await record({ timestamp: 'today' })).toEqual(['error event/timestamp timestamp']);
  });

  test('EV-067: the time of an act is that of its completion', async () => {
    const metrics = { started_at: timeOf(1), completed_at: timeOf(2), duration_ms: 1000 };
    const dated = (timestamp: string, payload: object = act.payload) =>
      told(start, event('act', payload, { metrics, timestamp }));
    expect(await dated(timeOf(2))).toEqual([]);
    expect(await dated(timeOf(2).replace('.000Z', '.000000+00:00'))).toEqual([]);
    expect(await dated(timeOf(3))).toEqual(['warn event/time timestamp']);
    // Older runtimes stamped acts with their start, and wrote no action_id.
    expect(await dated(timeOf(1))).toEqual(['info event/time timestamp']);
    const named = { ...act.payload, action_id: 'act-1' };
    expect(await dated(timeOf(1), named)).toEqual(['warn event/time timestamp']);
    expect(await dated(timeOf(3), { input_excerpt: 'all', outcome: 'ok', synthetic: true })).toEqual([]);
  });
});
