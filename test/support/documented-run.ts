type Parts = Readonly<Record<string, unknown>>;

/** The run in the documents of the format: every phase in order, with the payloads of the examples. */
export const DOCUMENTED_ID = 'ep_2024_abc123_s0';

const at = (second: number): string => `2024-01-15T10:30:0${second}Z`;

const TASK = 'Draft release notes for v1.2.0';
const POLICY = { policy_version: '1.0.0', policy_kind: 'rules' };
const STEERING = { salience_signals: ['policy_hint'], strategy_hints: ['verify_first'] };
const SEEN = { evidence_ids: ['event:observe:1'] };
const LINKS = {
  events: 'events.jsonl',
  learn: 'learn.jsonl',
  summary: 'summary.json',
  manifest: 'manifest.json',
};
const STEPS = [
  { id: 'step_1', kind: 'detect', description: 'Read changelog' },
  { id: 'step_2', kind: 'act', description: 'Generate notes' },
];

/** An act, and its action in the state. */
const actOf = (number: number, tool: string) => ({
  action_id: `action_${number}`,
  kind: 'adapter',
  tool,
  input_excerpt: 'Execute goal: Draft release notes',
  outcome: 'ok',
  result_status: 'ok',
  step_id: `step_${number}`,
  step_status: 'done',
});
const actionOf = (number: number, tool: string) => {
  const { action_id: id, outcome: _, step_status: __, ...rest } = actOf(number, tool);
  return { id, ...rest, timestamp: at(number) };
};

/** The form of the examples: `full` has links and whole actions; `short` is the complete example of a state, unchanged. */
export type DocumentedForm = 'full' | 'short';

function documentedEvents(form: DocumentedForm): readonly (readonly [number, string, Parts, Parts?])[] {
  const act = (number: number, tool: string): Parts => {
    const { action_id: id, ...payload } = actOf(number, tool);
    return form === 'full' ? { action_id: id, ...payload } : payload;
  };
  return [
    [0, 'start', { task: TASK, seed: 0, using: 'baseline' }],
    [
      0,
      'observe',
      {
        task: TASK,
        tags: { team: 'platform' },
        timestamp: at(0),
        context: { changelog_path: 'CHANGELOG.md' },
      },
    ],
    [
      0,
      'intuition',
      {
        schema_version: '1.1.0',
        kind: 'hint',
        advice: 'Consider chunking the task input before execution.',
        confidence: 0.6,
        policy_id: 'intuition.heuristic',
        ...POLICY,
        rationale: 'task_length',
        ...SEEN,
        risk_level: 'moderate',
        salience_signals: ['task_complexity'],
        strategy_hints: ['retrieve_more', 'narrow_scope'],
        scrutiny_level: 'elevated',
        target: 'input',
        scope: 'episode',
        blocking: false,
      },
      SEEN,
    ],
    [
      0,
      'interpret',
      {
        signals: [
          { type: 'risk', level: 'medium', description: 'Production deployment mentioned' },
          { type: 'constraint', description: 'Requires changelog file' },
        ],
        intent: 'documentation_generation',
        policy_id: 'SafetyPolicy@1.0',
      },
    ],
    [
      1,
      'plan',
      {
        steps: STEPS.map(({ kind, description }) => `${kind}:${description}`),
        step_records: STEPS.map((step) => ({ ...step, status: 'pending' })),
        source: 'direction',
      },
    ],
    [
      1,
      'direction',
      {
        schema_version: '1.2.0',
        directive_id: 'dir_abc123',
        legacy_directive_id: '11111111-1111-1111-1111-111111111111',
        steps: ['meta:start', 'intuition:risk-review'],
        status: 'applied',
        reason: 'heuristic-adjustment',
        diff: [{ key: 'plan.steps[0].description', before: 'Read', after: 'Read changelog' }],
        applied: true,
        policy_id: 'planner.meta',
        ...POLICY,
        intuition_event_id: 'evt_3',
        risk_level: 'high',
        ...STEERING,
        tool_constraints: ['read_only'],
        scrutiny_level: 'strict',
        ...SEEN,
      },
      SEEN,
    ],
    [
      1,
      'governance',
      {
        governance_id: 'gov_def456',
        decision_id: 'dec_789',
        decision: 'allow',
        rule_id: 'rules.allow.default',
        score: 0.95,
        policy_id: 'governance.rules',
        ...POLICY,
        details: { checked_rules: ['rule1', 'rule2'], matched_rule: 'rule1' },
      },
    ],
    [1, 'act', act(1, 'reader')],
    [2, 'act', act(2, 'adapter:core.minimal')],
    [
      3,
      'reflect',
      {
        success: true,
        reason: 'All planned steps completed successfully',
        expected_outcomes: ['data_processed', 'report_generated'],
        actual_outcomes: ['data_processed', 'report_generated'],
        issues: [],
        metrics: { task_score: 0.95, steps_completed: 3, steps_total: 3 },
      },
    ],
    [
      3,
      'learn',
      {
        policy_id: 'policy:core.meta',
        basis: ['rules.veto.danger'],
        proposal: [],
        applied: false,
        scope: 'episode',
      },
    ],
    [
      4,
      'runtime',
      {
        kind: 'run.state_projection',
        status: 'ok',
        outcomes: { status: 'ok', summary: null, metrics: { task_score: 0.95 } },
        links: form === 'full' ? LINKS : {},
      },
      { event_type: 'run.state_projection' },
    ],
    [5, 'terminate', { status: 'completed', episode_id: DOCUMENTED_ID, duration_ms: 5000 }],
  ];
}

/** The log of the run, in the envelope that the documents show: its times are in `metrics`. */
export function documentedLog(form: DocumentedForm): string {
  return documentedEvents(form)
    .map(([second, phase, payload, more], index) =>
      JSON.stringify({
        id: `evt_${index + 1}`,
        phase,
        agent_id: 'meta_planner',
        payload,
        metrics: { started_at: at(second), completed_at: at(second), duration_ms: 0 },
        ...(index > 0 && { caused_by: `evt_${index}` }),
        ...more,
      }),
    )
    .map((line) => `${line}\n`)
    .join('');
}

/** The state of the run. */
export function documentedState(form: DocumentedForm) {
  return {
    version: '1.0',
    state_schema_version: '1.0.0',
    episode: {
      id: DOCUMENTED_ID,
      seed: 0,
      tags: { team: 'platform' },
      using: 'baseline',
      started_at: at(0),
    },
    goal: { task: TASK, type: 'task' },
    beliefs: [
      {
        statement: 'Version 1.2.0 includes 3 new features',
        confidence: 0.9,
        provenance: 'changelog_analysis',
      },
    ],
    plan: {
      source: 'direction',
      updated_at: at(1),
      steps: STEPS.map((step) => ({ ...step, status: 'done' })),
    },
    memory: {
      facts: [{ key: 'format', value: 'keep-a-changelog', provenance: 'detection' }],
      scratchpad: '3 breaking changes found',
    },
    outcomes: {
      status: 'ok',
      actions:
        form === 'full'
          ? [actionOf(1, 'reader'), actionOf(2, 'adapter:core.minimal')]
          : [{ id: 'action_1', tool: 'reader', timestamp: at(1) }],
      metrics: { task_score: 0.95 },
      artifacts: ['release_notes.md'],
    },
    ...(form === 'full' && { links: LINKS }),
  };
}
