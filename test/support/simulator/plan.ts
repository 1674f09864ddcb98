import { float, type JsonObject } from './canonical.ts';
import { uuid } from './ids.ts';
import { recordPrompt } from './prompts.ts';
import type { Run } from './run.ts';

const kinds = ['detect', 'analyze', 'plan', 'act', 'verify', 'review'] as const;

// In code point order U+E000 comes first, in UTF-16 order the rocket.
const inputs = ({ shape, text }: Run): JsonObject =>
  shape.unicode
    ? { '🚀': text.words(1), '\u{e000}': [1, 2.5, float(1), 1e-7, null] }
    : { path: text.words(1), limits: [1, 2.5, float(1), 1e-7, null] };

/** The parts of a step record that the state keeps as they are, and those that it drops or tidies. */
function details(run: Run, stepCount: number): { recorded: JsonObject; kept: JsonObject } {
  const { random, text } = run;
  const recorded: JsonObject = {};
  const kept: JsonObject = {};
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

/** Records a plan, which replaces the one before it. */
export function makePlan(run: Run): void {
  const { random, text } = run;
  const stepCount = 1 + random.int(6);
  const labels: string[] = [];
  const records: JsonObject[] = [];
  const steps: JsonObject[] = [];
  for (let number = 1; number <= stepCount; number++) {
    const kind = random.pick(kinds);
    const description = number === 1 ? `${text.words(2)}: ${text.words(1)}` : text.words(4);
    const status = random.chance(0.1) ? 'skipped' : 'pending';
    const { recorded, kept } = details(run, stepCount);
    labels.push(`${kind}:${description}`);
    records.push({ id: `step-${number}`, kind, description, status, ...recorded });
    steps.push({ id: `step-${number}`, kind, description, status, ...kept });
  }
  const source = 'planner.minimal';
  const rationale: { rationale?: string } = random.chance(0.8) ? { rationale: text.words(3) } : {};
  // Without a source of its own the plan's is the agent's id.
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
  run.planId = run.reflectCause = run.cause = event.id;
  run.actsOfPlan = 0;
  run.counts.plans += 1;
  recordPrompt(run, 'plan', source, event);
  if (run.shape.direction) makeDirection(run);
}

/** Records a directive on the latest plan: applied, or blocked by a governance rule. */
export function makeDirection(run: Run, blockedBy?: { rule_id: string; score: number }): void {
  const { random, text, intuitionId } = run;
  const applied = blockedBy === undefined;
  const timeout = { key: 'adapter.timeout_s', before: 30, after: 60 };
  const event = run.log.append({
    phase: 'direction',
    agent: 'planner.meta',
    causedBy: run.planId,
    timed: true,
    evidence: intuitionId === undefined ? [] : ['event:observe:1'],
    payload: {
      schema_version: '1.2.0',
      directive_id: `dir-${random.hex(24)}`,
      legacy_directive_id: uuid(random),
      policy: 'planner.meta',
      policy_id: 'planner.meta',
      policy_kind: 'rules',
      policy_version: '1.0.0',
      status: applied ? 'applied' : 'blocked',
      reason: applied ? text.words(2) : 'governance_veto',
      applied,
      steps: ['meta:start'],
      diff: applied ? [timeout] : [],
      ...(intuitionId === undefined ? {} : { intuition_event_id: intuitionId }),
      ...blockedBy,
    },
  });
  run.counts[applied ? 'directionApplied' : 'directionVetoed'] += 1;
  // An ungoverned act hangs from the plan, not from the directive.
  if (run.shape.governed !== 'none') run.cause = event.id;
}
