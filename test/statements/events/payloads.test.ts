import { describe, expect, test } from 'vitest';
import { verifyEpisode } from '../../../src/library/verify.ts';
import { act, direction, event, observe, plan, start, textOf, told, toldOf, writeLog } from './logs.ts';

type Payload = Readonly<Record<string, unknown>>;

const missing = (...keys: string[]) => keys.map((key) => `error event/payload payload.${key}`);
const type = (...paths: string[]) => paths.map((path) => `warn event/field-type payload.${path}`);
const words = (...paths: string[]) => paths.map((path) => `warn event/vocabulary payload.${path}`);

describe('observe', () => {
  test('EV-032: has a task and an ISO 8601 timestamp', async () => {
    expect(await toldOf('observe', {})).toEqual(missing('task', 'timestamp'));
    const task = start['payload'].task;
    expect(await toldOf('observe', { task, timestamp: 7 })).toEqual(missing('timestamp'));
    expect(await toldOf('observe', { task, timestamp: 'now' })).toEqual([
      'error event/timestamp payload.timestamp',
    ]);
  });

  test('EV-033: may have tags and a context, both objects', async () => {
    const observed = (more: Payload) => toldOf('observe', { ...observe['payload'], ...more });
    expect(await observed({ tags: { a: ['b'], c: null }, context: {} })).toEqual([]);
    expect(await observed({ tags: [], context: 'x' })).toEqual(type('tags', 'context'));
  });
});

describe('intuition', () => {
  const intuited = (more: Payload) => toldOf('intuition', { kind: 'hint', ...more });

  test('EV-034: has a kind: hint, intervention or veto', async () => {
    expect(await toldOf('intuition', {})).toEqual(missing('kind'));
    for (const kind of ['hint', 'intervention', 'veto']) expect(await intuited({ kind })).toEqual([]);
    expect(await intuited({ kind: 'feeling' })).toEqual(words('kind'));
  });

  test('EV-035: may have a risk and a scrutiny level of their lists', async () => {
    for (const risk_level of ['low', 'moderate', 'high', 'critical'])
      expect(await intuited({ risk_level })).toEqual([]);
    for (const scrutiny_level of ['normal', 'elevated', 'strict'])
      expect(await intuited({ scrutiny_level })).toEqual([]);
    expect(await intuited({ risk_level: 'huge', scrutiny_level: 5 })).toEqual([
      ...words('risk_level'),
      ...type('scrutiny_level'),
    ]);
  });

  test('EV-036: may have salience signals and strategy hints of their lists', async () => {
    const salience_signals = ['task_complexity', 'normalization_gap', 'policy_hint', 'safety_boundary'];
    const strategy_hints = ['conservative', 'verify_first', 'retrieve_more', 'narrow_scope'];
    expect(await intuited({ salience_signals, strategy_hints })).toEqual([]);
    expect(await intuited({ salience_signals: [5, 'x'] })).toEqual([
      ...type('salience_signals[0]'),
      ...words('salience_signals[1]'),
    ]);
    expect(await intuited({ strategy_hints: [{}] })).toEqual(type('strategy_hints[0]'));
  });

  test('EV-037: may have tool constraints of a list', async () => {
    const tool_constraints = ['no_side_effects', 'read_only', 'require_double_check'];
    expect(await intuited({ tool_constraints })).toEqual([]);
    expect(await intuited({ tool_constraints: [5] })).toEqual(type('tool_constraints[0]'));
    expect(await intuited({ tool_constraints: 'read_only' })).toEqual(type('tool_constraints'));
  });

  test('EV-038: may have further members', async () => {
    const more = {
      schema_version: '1.1.0',
      advice: 'slow down',
      confidence: 0.7,
      policy_id: 'p',
      policy_version: '1',
      policy_kind: 'llm',
      rationale: null,
      evidence_ids: [],
      target: 'input',
      scope: 'episode',
      blocking: false,
    };
    expect(await intuited(more)).toEqual([]);
    expect(await intuited({ confidence: 1.5 })).toEqual(['warn event/range payload.confidence']);
    expect(await intuited({ blocking: 'no', applied: 5 })).toEqual(type('blocking', 'applied'));
  });

  test('EV-028: start, memory and the like may have any object', async () => {
    const anything = { task: 5, status: [], seed: {} };
    expect(await told(event('start', anything), event('memory', anything))).toEqual([]);
  });
});

describe('interpret and plan', () => {
  test('EV-040: interpret has signals, objects or texts', async () => {
    expect(await toldOf('interpret', {})).toEqual(missing('signals'));
    const signals = [{ type: 'risk', description: 'd', level: 'high' }, 'directive:hint'];
    expect(await toldOf('interpret', { signals })).toEqual([]);
    expect(await toldOf('interpret', { signals: [5] })).toEqual(type('signals[0]'));
    for (const wrong of ['all', null, {}])
      expect(await toldOf('interpret', { signals: wrong })).toEqual(missing('signals'));
    const { findings } = await verifyEpisode(
      writeLog(textOf([start, event('interpret', { signals: [{ type: 5 }, 'x', { level: [] }] })])),
    );
    const said = findings.filter(({ code }) => code === 'event/field-type').map(({ message }) => message);
    expect(said).toEqual([
      'payload.signals[0].type must be a string, is a number',
      'payload.signals[2].level must be a string, is an array',
    ]);
  });

  test('EV-041: interpret may have an intent and a policy', async () => {
    expect(
      await toldOf('interpret', { signals: [], intent: 'rotate', policy_id: 'SafetyPolicy@1.0' }),
    ).toEqual([]);
    expect(await toldOf('interpret', { signals: [], intent: 5, policy_id: 5 })).toEqual(
      type('intent', 'policy_id'),
    );
  });

  test('EV-042: plan has steps, labels of the form kind:description', async () => {
    for (const wrong of [{}, { steps: null }, { steps: 'act:x' }])
      expect(await toldOf('plan', wrong)).toEqual(missing('steps'));
    expect(await toldOf('plan', { steps: ['act:do: it', 'verify:'] })).toEqual([]);
    expect(await toldOf('plan', { steps: ['do it', 'dance:x', 5] })).toEqual([
      ...words('steps[0]', 'steps[1]'),
      ...type('steps[2]'),
    ]);
  });

  test('EV-043: plan may have step records, of which the plan is projected', async () => {
    const records = (...step_records: unknown[]) => toldOf('plan', { steps: [], step_records });
    expect(await records({ id: 's', kind: 'act', description: 'd', status: 'pending' })).toEqual([]);
    expect(await records({ kind: 'dance', status: 'soon' })).toEqual(
      words('step_records[0].kind', 'step_records[0].status'),
    );
    expect(await records('act:x')).toEqual(type('step_records[0]'));
  });

  test('EV-044: plan may have a source and a rationale', async () => {
    expect(await toldOf('plan', { steps: [], source: 'planner.minimal', rationale: 'r' })).toEqual([]);
    expect(await toldOf('plan', { steps: [], source: 5, rationale: [] })).toEqual(
      type('source', 'rationale'),
    );
  });
});

describe('direction', () => {
  const directed = (more: Payload) => toldOf('direction', { ...direction, ...more });

  test('EV-045, EV-047, EV-049: has versions, an id, a status, a reason and a policy', async () => {
    expect(await directed({})).toEqual([]);
    expect((await toldOf('direction', {})).sort()).toEqual(missing(...Object.keys(direction).sort()));
    expect(await directed({ status: 'considered' })).toEqual(words('status'));
    expect(await directed({ policy_version: 1 })).toEqual(missing('policy_version'));
  });

  test('EV-046: has an id that follows from its content, and may have an older one', async () => {
    const content = {
      policy_id: 'planner.meta',
      policy_version: '1.0.0',
      policy_kind: 'rules',
      steps: ['meta:start'],
    };
    const diff = [{ after: 'b', before: 'a', key: 'plan.steps[0].description' }];
    const made = { ...content, diff, applied: true, reason: 'heuristic-adjustment' };
    const directive_id = 'dir-1439f8a255180698a21f9a5f';
    expect(await directed({ ...made, directive_id, legacy_directive_id: 'ec826db2' })).toEqual([]);
    expect(await directed({ ...made, directive_id, reason: 'other' })).toEqual([
      'error lineage/content-id payload.directive_id',
    ]);
    expect(await directed({ ...made, directive_id, applied: false })).toEqual([
      'error lineage/content-id payload.directive_id',
      'warn governance/enforcement payload.applied',
    ]);
    expect(await directed({ legacy_directive_id: 5 })).toEqual(type('legacy_directive_id'));
  });

  test('EV-046: two directives with different content do not share an id', async () => {
    const one = event('direction', direction);
    expect(await told(start, one, one)).toEqual([]);
    expect(await told(start, one, event('direction', { ...direction, reason: 'other' }))).toEqual([
      'warn lineage/duplicate-id payload.directive_id',
    ]);
  });

  test('EV-048: may have a diff whose items have a key', async () => {
    expect(await directed({ diff: [{ key: 'k', before: 1, after: null }] })).toEqual([]);
    expect(await directed({ diff: [{ before: 1 }, 'x'] })).toEqual(type('diff[0].key', 'diff[1]'));
  });

  test('EV-050, EV-052: the kind of its policy and its levels are of their lists', async () => {
    for (const policy_kind of ['llm', 'rules', 'hybrid']) expect(await directed({ policy_kind })).toEqual([]);
    expect(await directed({ policy_kind: 'safety' })).toEqual(words('policy_kind'));
    expect(await directed({ risk_level: 5, scrutiny_level: 'lax' })).toEqual([
      ...type('risk_level'),
      ...words('scrutiny_level'),
    ]);
  });

  test('EV-051: may name an intuition, which must be one before it', async () => {
    const hint = event('intuition', { kind: 'hint' });
    const following = (id: unknown) =>
      told(start, hint, event('direction', { ...direction, intuition_event_id: id }));
    expect(await following('e2')).toEqual([]);
    expect(await following('e1')).toEqual(['warn lineage/broken-link payload.intuition_event_id']);
    expect(await following('gone')).toEqual(['warn lineage/broken-link payload.intuition_event_id']);
    expect(await following(5)).toEqual(type('intuition_event_id'));
  });

  test('EV-053: carries the evidence of its intuition', async () => {
    const evidence = { evidence_ids: ['runbook:7'] };
    const hint = event('intuition', { kind: 'hint', ...evidence }, evidence);
    const citing = (own: unknown[], mirrored?: unknown[]) =>
      told(
        start,
        hint,
        event(
          'direction',
          { ...direction, intuition_event_id: 'e2', ...(mirrored && { evidence_ids: mirrored }) },
          { evidence_ids: own },
        ),
      );
    expect(await citing(['runbook:7'], ['runbook:7'])).toEqual([]);
    expect(await citing([], ['runbook:7'])).toEqual(['info lineage/evidence evidence_ids']);
    expect(await citing(['runbook:7'])).toEqual([]);
    expect(await citing(['runbook:8'])).toEqual([
      'info lineage/evidence evidence_ids',
      'info lineage/evidence evidence_ids[0]',
    ]);
    expect(await citing([], ['runbook:7', 'b'])).toEqual([
      'info lineage/evidence evidence_ids',
      'info lineage/evidence payload.evidence_ids[1]',
    ]);
    expect(await citing(['a'], ['runbook:7'])).toEqual(['warn lineage/evidence payload.evidence_ids']);
  });

  test('EV-054: may have further members', async () => {
    const more = {
      steps: ['meta:start'],
      applied: true,
      salience_signals: ['policy_hint'],
      tool_constraints: [],
    };
    expect(await directed({ ...more, strategy_hints: ['conservative'] })).toEqual([]);
    expect(await directed({ applied: 5, steps: 'meta', strategy_hints: [{}] })).toEqual(
      expect.arrayContaining(type('applied', 'steps', 'strategy_hints[0]')),
    );
  });
});

describe('act', () => {
  const acted = (more: Payload) => toldOf('act', { input_excerpt: 'ls', outcome: 'ok', ...more });

  test('EV-059, EV-062, EV-064: may have ids, kind, tool, result and step', async () => {
    const keys = ['action_id', 'kind', 'tool', 'result_status', 'step_id'];
    expect(await acted(Object.fromEntries(keys.map((key) => [key, 'ok'])))).toEqual([]);
    expect((await acted(Object.fromEntries(keys.map((key) => [key, 5])))).sort()).toEqual(
      type(...keys).sort(),
    );
    expect(await acted({ step_status: 'finished' })).toEqual(words('step_status'));
    for (const status of ['ok', 'error', 'vetoed', 'succeeded', 'replayed'])
      expect(await acted({ outcome: status, result_status: status })).toEqual([]);
  });

  test('EV-060, EV-061: has an excerpt of its input and an outcome', async () => {
    expect(await toldOf('act', { tool: 'shell' })).toEqual(missing('input_excerpt', 'outcome'));
    expect(await acted({ outcome: 5 })).toEqual(missing('outcome'));
  });

  test('EV-063: outcome and result status are equal', async () => {
    expect(await acted({ result_status: 'error' })).toEqual([
      'error consistency/action payload.result_status',
    ]);
  });

  test('EV-065: further keys begin with x- and have any value', async () => {
    expect(await acted({ 'x-cost': null, 'x-tree': [{ a: 1 }] })).toEqual([]);
    expect(await acted({ result_artifacts: [5] })).toEqual(type('result_artifacts[0]'));
  });
});

describe('reflect and learn', () => {
  test('EV-068: reflect says whether it was a success, and why', async () => {
    expect(await toldOf('reflect', {})).toEqual(missing('success'));
    expect(await toldOf('reflect', { success: true })).toEqual(['info event/payload payload.reason']);
    expect(await toldOf('reflect', { success: true, reasons: ['r'] })).toEqual([]);
    for (const success of ['true', null, 2])
      expect(await toldOf('reflect', { success, reason: 'r' })).toEqual(missing('success'));
    for (const success of [true, false, 1, 0])
      expect(await toldOf('reflect', { success, reason: 'r' })).toEqual([]);
    expect(await toldOf('reflect', { success: true, reason: 5 })).toEqual(type('reason'));
  });

  test('EV-069: reflect may have outcomes, issues and metrics', async () => {
    const fine = { expected_outcomes: ['a'], actual_outcomes: [], issues: [{}], metrics: { task_score: 1 } };
    expect(await toldOf('reflect', { success: true, reason: 'r', ...fine })).toEqual([]);
    const wrong = { expected_outcomes: 'x', actual_outcomes: {}, issues: 7, metrics: [], reason: 5 };
    expect((await toldOf('reflect', { success: true, ...wrong })).sort()).toEqual(
      type(...Object.keys(wrong)).sort(),
    );
  });

  const learned = { policy_id: 'p', basis: [], proposal: [], applied: false, scope: 'session' };

  test('EV-070: learn has a policy, a basis, a proposal and a scope, or refers to learn.jsonl', async () => {
    expect(await toldOf('learn', learned)).toEqual([]);
    expect(await toldOf('learn', {})).toEqual(missing('basis', 'policy_id', 'proposal', 'scope'));
    expect(await toldOf('learn', { ...learned, applied: 5 })).toEqual(type('applied'));
    const { applied: _, ...without } = learned;
    expect(await toldOf('learn', without)).toEqual(['info event/payload payload.applied']);
    for (const basis of ['x', { success: true }])
      expect(await toldOf('learn', { ...learned, basis })).toEqual(['info event/payload payload.basis']);
    const reference = {
      learn_path: 'learn.jsonl',
      learn_schema: 'learn/1.0',
      proposal_count: 0,
      proposal_ids: [],
    };
    expect(await toldOf('learn', reference)).toEqual([]);
    expect(await toldOf('learn', { ...reference, proposal_count: -1 })).toEqual(missing('proposal_count'));
  });

  test('EV-071: learn has a scope of a list', async () => {
    for (const scope of ['session', 'episode', 'policy', 'global'])
      expect(await toldOf('learn', { ...learned, scope })).toEqual([]);
    expect(await toldOf('learn', { ...learned, scope: 'world' })).toEqual(words('scope'));
  });

  test('EV-072: learn may have further members', async () => {
    expect(await toldOf('learn', { ...learned, ttl: null, approval: 'pending', more: [1] })).toEqual([]);
  });
});

describe('terminate', () => {
  test('EV-080: has a status, and may have its episode and duration', async () => {
    expect(await toldOf('terminate', {})).toEqual(missing('status'));
    for (const status of ['completed', 'errored', 'aborted', 'ok', 'error'])
      expect(await toldOf('terminate', { status })).toEqual([]);
    expect(await toldOf('terminate', { status: 'fine' })).toEqual(words('status'));
    expect(await toldOf('terminate', { status: 'ok', duration_ms: -1 })).toEqual([
      'warn event/range payload.duration_ms',
    ]);
    expect(await toldOf('terminate', { status: 'ok', episode_id: 'ep_other' })).toEqual([
      'error consistency/episode-id payload.episode_id',
    ]);
    expect(await toldOf('terminate', { status: 'ok', duration_ms: '1', episode_id: 5 })).toEqual(
      type('duration_ms', 'episode_id'),
    );
  });

  test('EV-082: without it a log is incomplete, but not corrupt', async () => {
    expect(await told(start, observe, plan, act)).toEqual([]);
  });
});
