import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { RULES } from '../../../src/dialects/noesis/rules.ts';
import { verifyEpisode } from '../../../src/library/verify.ts';
import { STATEMENTS } from '../../statements.ts';
import { writeTree } from '../../support/temp.ts';

/** An event, with a payload and members that differ from those that every event gets. */
const event = (phase: string, payload: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
  phase,
  payload,
  ...more,
});
const START = event('start', { task: 't', seed: 0 });
const OBSERVE = event('observe', { task: 't', timestamp: '2026-01-01T00:00:00Z' });
const act = (more: JsonObject = {}) =>
  event('act', { input_excerpt: 'x', outcome: 'ok', tool: 'sh', ...more });
const PLAN = event('plan', { steps: ['act:x'] });
const reflect = (more: JsonObject = {}) => event('reflect', { success: true, reason: 'r' }, more);
const end = (status = 'completed', more: JsonObject = {}) => event('terminate', { status, ...more });
const CITED = { evidence_ids: ['event:start:1'] };
const intuition = (payload: JsonObject = {}, more: JsonObject = {}) =>
  event('intuition', { kind: 'hint', ...payload }, { id: 'i', ...more });
const direction = (payload: JsonObject = {}, more: JsonObject = {}) =>
  event(
    'direction',
    {
      schema_version: '1.2.0',
      directive_id: 'd',
      status: 'applied',
      reason: 'r',
      policy_id: 'p',
      policy_version: '1',
      policy_kind: 'rules',
      ...payload,
    },
    more,
  );
const candidate = (id = 'c') =>
  event(
    'action_candidate',
    {
      action_candidate_id: id,
      kind: 'adapter',
      payload: {},
      schema_version: 'action_candidate/1.0.0',
      state_ref: 'state.json',
      state_hash: `sha256:${'0'.repeat(64)}`,
      redaction: { mode: 'none' },
    },
    { id: `e-${id}` },
  );
const decision = (payload: JsonObject = {}, more: JsonObject = {}) =>
  event('governance', { governance_id: 'g', decision: 'allow', policy_id: 'p', ...payload }, more);
const OF = { caused_by: 'e-c' };
const VETO = { decision: 'veto', enforced: true, message: 'no' };
const BLOCKED = direction({ status: 'blocked', reason: 'governance_veto' });
const run = (type: string, payload: JsonObject = {}, more: JsonObject = {}) =>
  event('runtime', { kind: `run.${type}`, ...payload }, { event_type: `run.${type}`, ...more });
const interrupt = (more: JsonObject = {}, at: JsonObject = {}) =>
  run('interrupt', { status: 'interrupted', reason: 'no', ...more }, at);
const checkpoint = (id = 'chk_1', offset = 1) =>
  run('checkpoint', {
    status: 'paused',
    checkpoint_id: id,
    event_offset: offset,
    checkpoint_path: `checkpoints/${id}`,
  });
const resume = (id = 'chk_1', offset = 1) =>
  run('resume', { status: 'resuming', checkpoint_id: id, event_offset: offset, resume_strategy: 's' });
const projection = (payload: JsonObject = {}, more: JsonObject = {}) =>
  run('state_projection', { status: 'ok', outcomes: { status: 'ok' }, links: {}, ...payload }, more);

type Log = readonly JsonObject[];

/** For each rule: logs that break it, each with its finding, and logs that keep it. */
const CASES: Readonly<
  Record<string, readonly [broken: readonly (readonly [code: string, log: Log])[], kept: readonly Log[]]>
> = {
  'times do not go back': [
    [['event/time-order', [START, { ...OBSERVE, timestamp: '2025-01-01T00:00:00Z' }, end()]]],
    [[START, OBSERVE, end()]],
  ],
  'metrics agree with each other': [
    [
      [
        'event/metrics',
        [
          START,
          reflect({
            metrics: {
              started_at: '2026-01-01T00:00:01Z',
              completed_at: '2026-01-01T00:00:02Z',
              duration_ms: 60_000,
            },
          }),
        ],
      ],
      [
        'event/metrics',
        [
          START,
          reflect({
            metrics: {
              started_at: '2026-01-01T00:00:02Z',
              completed_at: '2026-01-01T00:00:01Z',
              duration_ms: 1,
            },
          }),
        ],
      ],
    ],
    [
      [
        START,
        reflect({
          metrics: {
            started_at: '2026-01-01T00:00:01Z',
            completed_at: '2026-01-01T00:00:02Z',
            duration_ms: 1000,
          },
        }),
      ],
    ],
  ],
  'events are of one episode': [
    [['consistency/episode-id', [START, { ...OBSERVE, episode_id: 'ep_2' }]]],
    [[START, OBSERVE]],
  ],
  'an id occurs once': [
    [
      [
        'event/duplicate-id',
        [
          { ...START, id: 'x' },
          { ...OBSERVE, id: 'x' },
        ],
      ],
    ],
    [[START, OBSERVE]],
  ],
  'a cause is an earlier event': [
    [
      ['lineage/dangling-cause', [START, { ...OBSERVE, caused_by: 'nobody' }]],
      ['lineage/forward-cause', [START, { ...OBSERVE, caused_by: 'e2' }, PLAN]],
      ['lineage/cycle', [START, { ...OBSERVE, caused_by: 'e2' }, { ...PLAN, caused_by: 'e1' }]],
    ],
    [[START, { ...OBSERVE, caused_by: 'e0' }]],
  ],
  'evidence names events': [
    [['lineage/evidence', [START, { ...OBSERVE, evidence_ids: ['event:start:2'] }]]],
    [[START, { ...OBSERVE, ...CITED }]],
  ],
  'the log begins with start': [[['order/start-not-first', [OBSERVE, end()]]], [[START, OBSERVE]]],
  'phases are in the order of the loop': [
    [['order/phase', [START, reflect(), PLAN]]],
    [[START, PLAN, reflect()]],
  ],
  'little may follow the end': [
    [['order/after-terminate', [START, end(), act()]]],
    [
      [
        START,
        end(),
        event('insight', {}),
        event('memory', {}),
        event('learn', { learn_path: 'l', learn_schema: 's', proposal_count: 0, proposal_ids: [] }),
      ],
    ],
  ],
  'the time of an observation is a time': [
    [['event/timestamp', [START, event('observe', { task: 't', timestamp: 'yesterday' })]]],
    [[START, OBSERVE]],
  ],
  'outcome and result_status are equal': [
    [
      ['consistency/action', [START, act({ result_status: 'error' })]],
      ['consistency/action', [START, act({ outcome: 'error', result_status: 'ok' })]],
    ],
    [[START, act({ result_status: 'ok' })]],
  ],
  'an act that succeeded has no error': [
    [['consistency/action', [START, act({ error: 'broken' })]]],
    [[START, act({ outcome: 'error', error: 'broken' })]],
  ],
  'a stopped run does not work': [
    [
      ['order/lifecycle', [START, interrupt(), act()]],
      ['order/lifecycle', [START, interrupt(), checkpoint(), PLAN]],
      ['order/lifecycle', [START, interrupt(), checkpoint(), reflect()]],
    ],
    [[START, interrupt(), checkpoint('chk_1', 3), resume('chk_1', 3), act()]],
  ],
  'an act executes a candidate that may be executed': [
    [
      [
        'governance/act-after-veto',
        [START, candidate(), decision(VETO, OF), act({ action_candidate_id: 'c' })],
      ],
      ['governance/unknown-candidate', [START, act({ action_candidate_id: 'c' })]],
    ],
    [
      [START, candidate(), decision({}, OF), act({ action_candidate_id: 'c' })],
      [START, candidate(), decision({ ...VETO, enforced: false }, OF), act({ action_candidate_id: 'c' })],
    ],
  ],
  'a direction follows an intuition': [
    [['lineage/broken-link', [START, direction({ intuition_event_id: 'i' }), intuition()]]],
    [[START, intuition(), direction({ intuition_event_id: 'i' })]],
  ],
  'a direction cites what its intuition cites': [
    [
      ['lineage/evidence', [START, intuition(), direction({ intuition_event_id: 'i', ...CITED }, CITED)]],
      [
        'lineage/evidence',
        [START, intuition(CITED, CITED), direction({ intuition_event_id: 'i', evidence_ids: [] })],
      ],
      ['lineage/evidence', [START, direction({ evidence_ids: ['a'] }, { evidence_ids: ['b'] })]],
    ],
    [[START, intuition(CITED, CITED), direction({ intuition_event_id: 'i', ...CITED }, CITED)]],
  ],
  'exactly an applied directive is applied': [
    [
      ['governance/enforcement', [START, direction({ applied: false })]],
      ['governance/enforcement', [START, direction({ status: 'blocked', applied: true })]],
    ],
    [
      [START, direction({ applied: true })],
      [START, direction({ status: 'blocked', applied: false })],
    ],
  ],
  'governance blocks with a veto': [
    [
      ['governance/enforcement', [START, decision(), BLOCKED, end()]],
      ['governance/enforcement', [START, decision({ ...VETO, enforced: false }), BLOCKED, end()]],
    ],
    [
      [START, decision(VETO), BLOCKED, end('vetoed')],
      // The runtime writes the directive first.
      [START, BLOCKED, decision(VETO), end('vetoed')],
      [START, direction({ status: 'blocked', reason: 'heuristic' }), end()],
    ],
  ],
  'ids are the hashes of their content': [
    [
      ['lineage/content-id', [START, direction({ directive_id: `dir-${'0'.repeat(24)}` })]],
      ['lineage/duplicate-id', [START, direction(), direction({ reason: 'other' })]],
      ['lineage/duplicate-id', [START, direction(), direction({ directive_id: 'd2' })]],
      ['governance/content-id', [START, decision({ governance_id: `gov-${'0'.repeat(24)}` })]],
      ['governance/duplicate-id', [START, decision(), decision({ decision: 'audit' })]],
    ],
    [
      [
        START,
        direction(),
        direction({ directive_id: 'd2', reason: 'other' }),
        decision(),
        decision({ governance_id: 'g2' }),
      ],
    ],
  ],
  'both lists of evidence are equal': [
    [
      ['lineage/evidence', [START, intuition({ evidence_ids: ['a'] }, { evidence_ids: ['b'] })]],
      ['lineage/evidence', [START, intuition({ evidence_ids: ['a'] })]],
      ['lineage/evidence', [START, intuition({ evidence_ids: [] }, { evidence_ids: ['a'] })]],
      ['lineage/evidence', [START, decision({ evidence_ids: ['a'] }, { evidence_ids: ['b'] })]],
    ],
    [[START, intuition(CITED, CITED), decision(CITED, CITED)]],
  ],
  'a hint does not block': [
    [['governance/enforcement', [START, intuition({ kind: 'hint', blocking: true })]]],
    [
      [START, intuition({ kind: 'hint', blocking: false })],
      [START, intuition({ kind: 'veto', blocking: true })],
    ],
  ],
  'an episode starts once': [[['order/start-repeated', [START, START]]], [[START, OBSERVE]]],
  'a decision is about a candidate, before its act': [
    [
      [
        'governance/unknown-candidate',
        [
          START,
          candidate(),
          decision({ mode: 'audit', enforced: false, failure_policy: 'fail_open' }, { caused_by: 'e0' }),
        ],
      ],
      ['order/phase', [START, candidate(), act({ action_candidate_id: 'c' }), decision({}, OF)]],
    ],
    [[START, candidate(), decision({}, OF), act({ action_candidate_id: 'c' })]],
  ],
  'the effect of a decision is possible': [
    [
      ['governance/enforcement', [START, decision({ decision: 'veto', mode: 'enforce', enforced: false })]],
      ['governance/enforcement', [START, decision({ decision: 'veto', mode: 'audit', enforced: true })]],
      ['governance/enforcement', [START, decision({ enforced: true })]],
    ],
    [
      [START, decision({ decision: 'veto', mode: 'audit', enforced: false })],
      [START, decision({ ...VETO, mode: 'enforce' }), end('vetoed')],
    ],
  ],
  'a decision is complete': [
    [
      ['governance/enforcement', [START, decision({ failure_policy: 'fail_open', enforced: false })]],
      ['governance/enforcement', [START, decision({ failure_policy: 'fail_open', mode: 'audit' })]],
    ],
    [
      [START, decision({ failure_policy: 'fail_open', mode: 'audit', enforced: false })],
      [START, decision()],
    ],
  ],
  'the mode stays': [
    [
      [
        'governance/enforcement',
        [START, decision({ mode: 'audit' }), decision({ governance_id: 'g2', mode: 'enforce' })],
      ],
    ],
    [[START, decision({ mode: 'audit' }), decision({ governance_id: 'g2', mode: 'audit' })]],
  ],
  'the failure policy stays': [
    [
      [
        'governance/enforcement',
        [
          START,
          decision({ mode: 'audit', enforced: false, failure_policy: 'fail_open' }),
          decision({ governance_id: 'g2', mode: 'audit', enforced: false, failure_policy: 'fail_closed' }),
        ],
      ],
    ],
    [[START, decision({ mode: 'audit', enforced: false, failure_policy: 'fail_open' })]],
  ],
  'the end names the episode of the log': [
    [['consistency/episode-id', [START, end('completed', { episode_id: 'ep_2' })]]],
    [[START, end('completed', { episode_id: 'ep_1' })]],
  ],
  'a run that succeeded has no error': [
    [['consistency/status', [START, end('completed', { error: 'broken' })]]],
    [[START, end('errored', { error: 'broken' })]],
  ],
  'an episode ends once': [[['order/terminate-repeated', [START, end(), end()]]], [[START, end()]]],
  'a run ends in a possible stage': [
    [['order/lifecycle', [START, interrupt(), checkpoint('chk_1', 3), end()]]],
    [
      [START, interrupt(), checkpoint('chk_1', 3), end('cancelled')],
      [START, end()],
    ],
  ],
  'a vetoed run has a veto': [
    [['governance/veto-missing', [START, decision({ enforced: false }), end('vetoed')]]],
    [[START, decision(VETO), end('vetoed')]],
  ],
  'a veto has an answer': [
    [
      ['governance/veto-ignored', [START, decision(VETO), end()]],
      ['governance/veto-ignored', [START, intuition({ kind: 'veto', blocking: true }), act(), end()]],
    ],
    [
      [START, decision(VETO), end('vetoed')],
      [START, intuition({ kind: 'veto', blocking: false }), act(), end()],
    ],
  ],
  'a run goes to a possible stage': [
    [['order/lifecycle', [START, resume()]]],
    [[START, interrupt(), checkpoint('chk_1', 3), resume('chk_1', 3)]],
  ],
  'the cause of a state projection is the event before it': [
    [['order/phase', [START, OBSERVE, projection({}, { caused_by: 'e0' })]]],
    [[START, OBSERVE, projection({}, { caused_by: 'e1' })]],
  ],
  'a state projection agrees with itself': [
    [
      ['projection/status', [START, projection({ outcomes: { status: 'error' } })]],
      ['projection/status', [START, projection({ kind: 'run.other' })]],
      ['projection/status', [START, projection({ outcomes: { status: 'ok', error: 'broken' } })]],
    ],
    [[START, projection()]],
  ],
  'a run continues from one of its checkpoints': [
    [['checkpoint/unknown', [START, interrupt(), checkpoint('chk_1', 3), resume('chk_2', 3)]]],
    [[START, interrupt(), checkpoint('chk_1', 3), resume('chk_1', 3)]],
  ],
  'only an enforced decision interrupts': [
    [
      [
        'governance/enforcement',
        [START, decision({ message: 'no' }, { id: 'g' }), interrupt({}, { caused_by: 'g' })],
      ],
    ],
    [[START, decision(VETO, { id: 'g' }), interrupt({}, { caused_by: 'g' })]],
  ],
};

async function codesOf(log: Log): Promise<string[]> {
  const lines = log.map((one, index) =>
    JSON.stringify({
      id: `e${index}`,
      episode_id: 'ep_1',
      agent_id: 'a',
      timestamp: `2026-01-01T00:00:0${index}Z`,
      evidence_ids: [],
      ...one,
    }),
  );
  const { findings } = await verifyEpisode(
    `${writeTree({ 'events.jsonl': `${lines.join('\n')}\n` })}/events.jsonl`,
  );
  return findings.map(({ code }) => code);
}

/** The names of the rules, without the types that they are for. */
const NAMES = [...new Set(RULES.names.map((name) => name.replace(/^[a-z_ ]+: /, '')))];

test('each rule has cases, and a row in the table of its page', () => {
  expect(Object.keys(CASES).toSorted()).toEqual(NAMES.toSorted());
  const page = readFileSync('docs/formats/noesis.md', 'utf8');
  const rows = [...page.matchAll(/^\| ([^|]+) \| ((?:EV-\d{3}|§\d+)[^|]*) \| [^|]+ \|$/gm)];
  const named = rows.map(([, name = '']) => name.replace(/^`[^`]+`(?:, `[^`]+`)*: /, ''));
  expect(named.toSorted()).toEqual(NAMES.toSorted());
  const ids = rows.flatMap(([, , from = '']) => from.match(/EV-\d{3}/g) ?? []);
  expect(STATEMENTS.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
});

describe.each(Object.entries(CASES))('the rule is broken and kept: %s', (_, [broken, kept]) => {
  const codes = new Set(broken.map(([code]) => code));

  test.each(broken.map(([code, log], index) => [index, code, log] as const))(
    'broken %i: %s',
    async (_index, code, log) => {
      expect(await codesOf(log)).toContain(code);
    },
  );
  test.each(kept.map((log, index) => [index, log] as const))('kept %i', async (_index, log) => {
    expect((await codesOf(log)).filter((code) => codes.has(code))).toEqual([]);
  });
});
