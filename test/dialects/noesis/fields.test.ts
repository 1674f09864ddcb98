import { describe, expect, test } from 'vitest';
import { verifyNoesis } from '../../../src/dialects/noesis/verify.ts';
import { verifyText } from '../verify-events.ts';

type Kind = 'text' | 'list' | 'object' | 'number' | 'boolean';

const VALUES: Readonly<Record<Kind, unknown>> = {
  text: 'low',
  list: [],
  object: {},
  number: 0.5,
  boolean: true,
};

/** Every documented field of every phase, with the kind of its value. */
const DOCUMENTED: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  observe: { task: 'text', timestamp: 'text', tags: 'object', context: 'object' },
  intuition: {
    kind: 'text',
    risk_level: 'text',
    scrutiny_level: 'text',
    salience_signals: 'list',
    strategy_hints: 'list',
    tool_constraints: 'list',
    schema_version: 'text',
    advice: 'text',
    confidence: 'number',
    policy_id: 'text',
    policy_version: 'text',
    policy_kind: 'text',
    rationale: 'text',
    evidence_ids: 'list',
    target: 'text',
    scope: 'text',
    blocking: 'boolean',
  },
  interpret: { signals: 'list', intent: 'text', policy_id: 'text' },
  plan: { steps: 'list', step_records: 'list', source: 'text', rationale: 'text' },
  direction: {
    schema_version: 'text',
    directive_id: 'text',
    legacy_directive_id: 'text',
    status: 'text',
    reason: 'text',
    diff: 'list',
    policy_id: 'text',
    policy_version: 'text',
    policy_kind: 'text',
    intuition_event_id: 'text',
    risk_level: 'text',
    scrutiny_level: 'text',
    evidence_ids: 'list',
    steps: 'list',
    applied: 'boolean',
    salience_signals: 'list',
    strategy_hints: 'list',
    tool_constraints: 'list',
  },
  governance: {
    governance_id: 'text',
    decision: 'text',
    policy_id: 'text',
    rule_id: 'text',
    score: 'number',
    details: 'object',
    decision_id: 'text',
    policy_version: 'text',
    policy_kind: 'text',
  },
  action_candidate: {
    action_candidate_id: 'text',
    kind: 'text',
    payload: 'object',
    state_ref: 'text',
    state_hash: 'text',
    redaction: 'object',
    schema_version: 'text',
    id: 'text',
    provenance: 'object',
    risk_tags: 'list',
  },
  act: {
    action_id: 'text',
    kind: 'text',
    tool: 'text',
    adapter: 'text',
    input_excerpt: 'text',
    outcome: 'text',
    result_status: 'text',
    step_id: 'text',
    step_status: 'text',
    action_candidate_id: 'text',
    provenance: 'object',
    result_artifacts: 'list',
  },
  reflect: {
    success: 'boolean',
    reason: 'text',
    expected_outcomes: 'list',
    actual_outcomes: 'list',
    issues: 'list',
    metrics: 'object',
  },
  learn: { policy_id: 'text', proposal: 'list', applied: 'boolean', scope: 'text' },
  terminate: { status: 'text', episode_id: 'text', duration_ms: 'number' },
  'run.state_projection': { kind: 'text', status: 'text', outcomes: 'object', links: 'object' },
};

/** Payloads with their required members. */
const COMPLETE: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  observe: { task: 't', timestamp: '2026-03-02T09:00:00Z' },
  intuition: { kind: 'hint' },
  interpret: { signals: [] },
  plan: { steps: [] },
  direction: {
    schema_version: '1.2.0',
    directive_id: 'd',
    status: 'applied',
    reason: 'r',
    policy_id: 'p',
    policy_version: '1',
    policy_kind: 'rules',
  },
  governance: { governance_id: 'g', decision: 'allow', policy_id: 'p' },
  action_candidate: {},
  act: { input_excerpt: 'ls', outcome: 'ok' },
  reflect: { success: true },
  learn: { policy_id: 'p', basis: [], proposal: [], scope: 'episode' },
  terminate: { status: 'ok' },
  'run.state_projection': {
    kind: 'run.state_projection',
    status: 'ok',
    outcomes: { status: 'ok' },
    links: {},
  },
};

/** The findings about one member of a payload, in an event after a start. */
async function toldOf(type: string, payload: object): Promise<string[]> {
  const envelope = { id: 'e', episode_id: 'ep_x', evidence_ids: [], timestamp: '2026-03-02T09:00:00Z' };
  const phase = type.startsWith('run.') ? { phase: 'runtime', event_type: type } : { phase: type };
  const events = [
    { ...envelope, id: 's', phase: 'start', payload: {} },
    { ...envelope, ...phase, payload },
  ];
  const text = events.map((event) => `${JSON.stringify(event)}\n`).join('');
  const { findings } = await verifyText(verifyNoesis, text, 'events.jsonl');
  return findings
    .filter(({ severity, line }) => severity !== 'info' && line === 2)
    .map(({ path }) => path ?? '');
}

describe.each(Object.entries(DOCUMENTED))('a %s event', (type, fields) => {
  test('with its required members is fine', async () => {
    expect(await toldOf(type, COMPLETE[type] ?? {})).toEqual([]);
  });

  test.each(Object.entries(fields))('has a finding for a wrong type in %s', async (field, kind) => {
    for (const [other, value] of Object.entries(VALUES)) {
      // Unknown words and malformed texts are reported too, but not tested here.
      if (other === kind) continue;
      const told = await toldOf(type, { ...COMPLETE[type], [field]: value });
      expect(told, `${field}: ${other}`).toContain(`payload.${field}`);
    }
  });
});

test('optional members are checked even if a required one is wrong', async () => {
  const payload = { ...COMPLETE['direction'], reason: 5, policy_id: 5, applied: 5, risk_level: 5 };
  const told = await toldOf('direction', payload);
  expect(told.toSorted()).toEqual(
    ['applied', 'policy_id', 'reason', 'risk_level'].map((name) => `payload.${name}`),
  );
  expect(await toldOf('act', { outcome: 5, tool: 5 })).toEqual(
    expect.arrayContaining(['payload.input_excerpt', 'payload.outcome', 'payload.tool']),
  );
});

describe('the envelope', () => {
  const fields = {
    id: 'text',
    phase: 'text',
    payload: 'object',
    event_type: 'text',
    agent_id: 'text',
    evidence_ids: 'list',
    metrics: 'object',
    caused_by: 'text',
    timestamp: 'text',
    episode_id: 'text',
    faculty: 'text',
  } as const;

  test.each(Object.entries(fields))('has a finding for a wrong type in %s', async (field, kind) => {
    for (const [other, value] of Object.entries(VALUES)) {
      if (other === kind) continue;
      const event = { id: 'e', phase: 'reason', payload: {}, evidence_ids: [], [field]: value };
      const { findings } = await verifyText(verifyNoesis, `${JSON.stringify(event)}\n`, 'events.jsonl');
      const told = findings.filter(({ code }) => code === 'event/wrong-type').map(({ path }) => path);
      expect(told, `${field}: ${other}`).toContain(field);
    }
  });
});
