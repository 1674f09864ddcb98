import { float, type JsonObject } from './canonical.ts';
import { directiveId, idInEpisode } from './content-ids.ts';
import { recordPrompt } from './prompts.ts';
import type { Run } from './run.ts';

const kinds = ['detect', 'analyze', 'plan', 'act', 'verify', 'review'] as const;

// In code point order U+E000 comes first, in UTF-16 order the rocket.
const inputs = ({ shape, text }: Run): JsonObject =>
  shape.unicode
    ? { '🚀': text.words(1), '\u{e000}': [1, 2.5, float(1), 1e-7, null] }
    : { path: text.words(1), limits: [1, 2.5, float(1), 1e-7, null] };

/** The parts of a step record that the state keeps unchanged, and those that it drops or changes. */
function details(run: Run, stepCount: number): { recorded: JsonObject; kept: JsonObject } {
  const { random, text } = run;
  const recorded: JsonObject = {};
  const kept: JsonObject = {};
  if (run.shape.script) return { recorded, kept };
  if (random.chance(0.3)) {
    const other = `step-${1 + random.int(stepCount)}`;
    recorded['depends_on'] = [other, other];
    kept['depends_on'] = [other];
  }
  const reasoned = random.next();
  if (reasoned < 0.3) recorded['rationale'] = kept['rationale'] = text.words(2);
  else if (reasoned < 0.5) recorded['rationale'] = '';
  const fed = random.next();
  if (fed < 0.2) recorded['inputs'] = kept['inputs'] = inputs(run);
  else if (fed < 0.4) recorded['inputs'] = {};
  if (random.chance(0.2)) recorded['x-note'] = kept['x-note'] = { a: [1, 2.5, null] };
  return { recorded, kept };
}

/** Records a plan, which replaces the previous one. A directive has changed its first step before. */
export function makePlan(run: Run): void {
  const { random, text } = run;
  const script = run.shape.script?.plans[run.counts.plans];
  const stepCount = script?.steps.length ?? 1 + random.int(6);
  const labels: string[] = [];
  const records: JsonObject[] = [];
  const steps: JsonObject[] = [];
  const before = script?.steps[0]?.[1] ?? text.words(3);
  for (let number = 1; number <= stepCount; number++) {
    const [kind, own] = script?.steps[number - 1] ?? [
      random.pick(kinds),
      number === 1 ? `${before}: ${text.words(1)}` : text.words(4),
    ];
    const description = number === 1 && run.shape.direction ? `${own} (2 beliefs)` : own;
    const status = !script && random.chance(0.1) ? 'skipped' : 'pending';
    const { recorded, kept } = details(run, stepCount);
    labels.push(`${kind}:${description}`);
    records.push({ id: `step-${number}`, kind, description, status, ...recorded });
    steps.push({ id: `step-${number}`, kind, description, status, ...kept });
  }
  const source = 'planner.minimal';
  const rationale: { rationale?: string } =
    script || random.chance(0.8) ? { rationale: script?.why ?? text.words(3) } : {};
  // Without a source the plan has the id of the agent.
  const named = random.chance(0.8) ? { source } : {};
  const payload = { steps: labels, step_records: records, ...named, ...rationale };
  const event = run.log.append({
    phase: 'plan',
    payload,
    agent: source,
    causedBy: run.interpretId,
    timed: true,
  });
  run.plan = { source, updated_at: event.timestamp, ...rationale, steps };
  run.planId = run.reflectCause = run.rollUpCause = run.cause = event.id;
  run.actsOfPlan = 0;
  run.ruling = undefined;
  run.counts.plans += 1;
  const rendered = `[${source}] goal=${run.task} | steps=${steps.map((step) => step['description']).join(', ')}`;
  recordPrompt(run, { phase: 'plan', agent: 'direction.planner', kind: 'system', rendered });
  if (run.shape.direction) applyDirection(run, before);
}

interface Directive {
  readonly status: 'applied' | 'blocked';
  readonly reason: string;
  readonly steps: string[];
  readonly diff: JsonObject[];
  readonly more: JsonObject;
}

function recordDirective(run: Run, { status, reason, steps, diff, more }: Directive): void {
  const { intuition, counts } = run;
  const evidence = intuition?.evidence ?? [];
  const applied = status === 'applied';
  const payload: JsonObject = {
    schema_version: '1.2.0',
    legacy_directive_id: idInEpisode('directive', run.id, `${counts.plans}:planner.meta:${reason}`),
    policy: 'planner.meta',
    policy_id: 'planner.meta',
    policy_kind: 'rules',
    policy_version: '1.0.0',
    status,
    reason,
    applied,
    steps,
    diff,
    risk_level: 'low',
    salience_signals: ['policy_hint'],
    scrutiny_level: 'normal',
    intuition_event_id: intuition?.id,
    evidence_ids: evidence.length > 0 ? evidence : undefined,
    ...more,
  };
  const event = run.log.append({
    phase: 'direction',
    agent: 'planner.meta',
    causedBy: run.planId,
    payload: { ...payload, directive_id: directiveId(payload) },
  });
  counts[applied ? 'directionApplied' : 'directionVetoed'] += 1;
  run.rollUpCause = event.id;
  // The cause of an ungoverned act is the plan, not the directive.
  if (run.shape.governed !== 'none') run.cause = event.id;
}

/** Records the directive that has changed the plan. */
function applyDirection(run: Run, before: string): void {
  const key = 'plan.steps[0].description';
  const after = String(run.plan.steps[0]?.['description']);
  const hints = run.random.chance(0.2)
    ? { strategy_hints: ['narrow_scope'], tool_constraints: ['read_only'] }
    : {};
  const diff = [{ key, before, after }];
  // Other types than text, which a policy of the user may have.
  if (!run.shape.script && run.random.chance(0.3))
    diff.push({ key: 'adapter.timeout_s', before: 30, after: 60.5 } as never);
  run.lastDiff = [`${key}: '${before}'→'${after}'`];
  recordDirective(run, {
    status: 'applied',
    reason: 'heuristic-adjustment',
    steps: ['meta:start', 'heuristic:belief-context'],
    diff,
    more: hints,
  });
}

/** Records a directive that a governance rule has blocked. */
export function blockDirection(run: Run, rule_id: string): void {
  recordDirective(run, {
    status: 'blocked',
    reason: 'governance_veto',
    steps: ['meta:start'],
    diff: [],
    more: { rule_id, score: 0.95 },
  });
}
