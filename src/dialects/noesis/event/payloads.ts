import * as z from 'zod';
import { once } from '../../../base/text/once.ts';
import { fits } from '../../../log/schema/fits.ts';
import {
  CANDIDATE_VERSION,
  DECISIONS,
  DIRECTIVE_STATUSES,
  INTUITION_KINDS,
  LEARN_SCOPES,
  POLICY_KINDS,
  RISK_LEVELS,
  SALIENCE_SIGNALS,
  SCRUTINY_LEVELS,
  STEP_KINDS,
  STEP_STATUSES,
  STRATEGY_HINTS,
  TERMINATE_STATUSES,
  TOOL_CONSTRAINTS,
} from './vocabulary.ts';

/** Members that may be absent or null. */
function nullish<Shape extends Readonly<Record<string, z.ZodType>>>(shape: Shape) {
  return Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, schema.nullish()])) as {
    [Name in keyof Shape]: z.ZodOptional<z.ZodNullable<Shape[Name]>>;
  };
}

const text = z.string();
const list = z.array(z.unknown());
const texts = z.array(text);
const object = z.record(z.string(), z.unknown());
const share = z.number().min(0).max(1);
const count = z.number().int().min(0);
/** A required key with any value except null. */
const present = z.union([text, z.number(), z.boolean(), list, object]);
/** A version that noesis knows: 1.x, also behind the name of the schema. */
const version = text.regex(/^(?:[a-z_]+\/)?1\.\d/, 'a version 1.x');
/** The runtime writes true; older ones wrote 1 and 0. */
const success = z.union([z.boolean(), z.literal(0), z.literal(1)]);

/** The rules for a payload. All schemas here allow more keys. */
export interface PayloadRules {
  /**
   * The forms of a payload (noesis.md §2.2): what both the documents and the runtime require. A payload must fit one of
   * them; without forms, any object is valid.
   */
  readonly forms?: readonly [z.ZodObject, ...z.ZodObject[]];
  /**
   * Forms in the documents that the runtime does not always follow, or the other way round. If a payload fits none of them, a note says what it
   * lacks of the first.
   */
  readonly documented?: readonly [z.ZodObject, ...z.ZodObject[]];
  /** Optional documented fields: their types, words, ranges and patterns. */
  readonly fields: z.ZodObject;
}

/** The conclusions of intuition about a task, which a direction repeats. */
const steering = nullish({
  risk_level: z.enum(RISK_LEVELS),
  scrutiny_level: z.enum(SCRUTINY_LEVELS),
  salience_signals: z.array(z.enum(SALIENCE_SIGNALS)),
  strategy_hints: z.array(z.enum(STRATEGY_HINTS)),
  tool_constraints: z.array(z.enum(TOOL_CONSTRAINTS)),
});

/** The policy that decided. */
const policy = nullish({ policy_id: text, policy_version: text, policy_kind: z.enum(POLICY_KINDS) });

const signal = z.looseObject(nullish({ type: text, description: text, level: text }));

const LABEL = new RegExp(`^(?:${STEP_KINDS.join('|')}):`);

const stepRecord = z.looseObject(
  nullish({
    id: text,
    kind: z.enum(STEP_KINDS),
    description: text,
    status: z.enum(STEP_STATUSES),
    rationale: text,
    depends_on: texts,
    inputs: object,
    outputs: object,
  }),
);

/**
 * The rules by phase. Other phases may have any object. A rule is only made when a record is refused, because making all
 * of them takes longer than reading a short log.
 */
export const PAYLOADS = {
  observe: once(() => ({
    forms: [z.looseObject({ task: text, timestamp: text })],
    fields: z.looseObject(nullish({ tags: object, context: object })),
  })),
  intuition: once(() => ({
    forms: [z.looseObject({ kind: text })],
    fields: z.looseObject({
      kind: z.enum(INTUITION_KINDS),
      ...nullish({ schema_version: version, advice: text, confidence: share }),
      ...policy,
      ...steering,
      ...nullish({ rationale: text, evidence_ids: texts, target: text, scope: text }),
      ...nullish({ blocking: z.boolean(), applied: z.boolean(), patch: object }),
    }),
  })),
  interpret: once(() => ({
    forms: [z.looseObject({ signals: list })],
    // The documents have objects, the runtime writes texts.
    fields: z.looseObject({
      signals: z.array(z.union([text, signal])),
      ...nullish({ intent: text, policy_id: text }),
    }),
  })),
  plan: once(() => ({
    forms: [z.looseObject({ steps: list })],
    fields: z.looseObject({
      steps: z.array(text.regex(LABEL, `a label \`<kind>:<description>\` (${STEP_KINDS.join(', ')})`)),
      ...nullish({ step_records: z.array(stepRecord), source: text, rationale: text }),
    }),
  })),
  direction: once(() => ({
    forms: [
      z.looseObject({
        schema_version: text,
        directive_id: text,
        status: text,
        reason: text,
        policy_id: text,
        policy_version: text,
        policy_kind: text,
      }),
    ],
    fields: z.looseObject({
      status: z.enum(DIRECTIVE_STATUSES),
      policy_kind: z.enum(POLICY_KINDS),
      schema_version: version,
      ...nullish({ legacy_directive_id: text, intuition_event_id: text }),
      ...nullish({ diff: z.array(z.looseObject({ key: text })), steps: texts }),
      ...nullish({ applied: z.boolean(), evidence_ids: texts }),
      ...steering,
    }),
  })),
  governance: once(() => ({
    forms: [z.looseObject({ governance_id: text, decision: text, policy_id: text })],
    fields: z.looseObject({
      decision: z.enum(DECISIONS),
      ...nullish({ schema_version: version, decision_id: text, policy_version: text }),
      ...nullish({ policy_kind: z.enum(POLICY_KINDS), rule_id: text, score: share, message: text }),
      ...nullish({ details: object, mode: text, failure_policy: text, enforced: z.boolean(), error: object }),
    }),
  })),
  // The documents only name this phase, so these are the fields that the runtime writes.
  action_candidate: once(() => ({
    fields: z.looseObject(
      nullish({
        action_candidate_id: text.min(1),
        schema_version: z.literal(CANDIDATE_VERSION),
        kind: text,
        payload: object,
        state_ref: text,
        state_hash: text.regex(/^sha256:[0-9a-f]{64}$/, '`sha256:` and 64 lower-case hex digits'),
        redaction: z.looseObject(
          nullish({ mode: text, policy_id: text, policy_version: text, field_rules: object }),
        ),
        id: text,
        provenance: object,
        risk_tags: texts,
      }),
    ),
  })),
  act: once(() => ({
    forms: [z.looseObject({ input_excerpt: text, outcome: text })],
    fields: z.looseObject({
      ...nullish({ action_id: text, action_candidate_id: text, kind: text, tool: text, adapter: text }),
      ...nullish({ result_status: text, step_id: text, step_status: z.enum(STEP_STATUSES) }),
      ...nullish({ provenance: object, result_artifacts: z.array(object) }),
    }),
  })),
  reflect: once(() => ({
    forms: [z.looseObject({ success })],
    // The runtime writes its reasons as a list, `reasons`.
    documented: [z.looseObject({ reason: present }), z.looseObject({ reasons: present })],
    fields: z.looseObject({
      ...nullish({ reason: text, reasons: texts }),
      ...nullish({ expected_outcomes: list, actual_outcomes: list, issues: list, metrics: object }),
    }),
  })),
  learn: once(() => ({
    forms: [
      z.looseObject({ policy_id: text, basis: z.union([object, list, text]), proposal: list, scope: text }),
      z.looseObject({ learn_path: text, learn_schema: text, proposal_count: count, proposal_ids: texts }),
    ],
    documented: [
      z.looseObject({ basis: list, applied: present }),
      z.looseObject({ learn_path: present }),
      z.looseObject({ learn_schema: present }),
    ],
    fields: z.looseObject(
      nullish({
        policy_id: text,
        proposal: list,
        applied: z.boolean(),
        applied_count: count,
        scope: z.enum(LEARN_SCOPES),
      }),
    ),
  })),
  terminate: once(() => ({
    forms: [z.looseObject({ status: text })],
    fields: z.looseObject({
      status: z.enum(TERMINATE_STATUSES),
      ...nullish({ episode_id: text, duration_ms: z.number().min(0), message: text }),
    }),
  })),
} satisfies Readonly<Record<string, () => PayloadRules>>;

/** The documents do not describe `run.*` events, but the runtime gives each one a status. */
const runRules = once(
  (): PayloadRules => ({
    documented: [z.looseObject({ status: present })],
    fields: z.looseObject({
      ...nullish({ kind: text, status: text, reason: text, checkpoint_id: text }),
      ...nullish({ event_offset: z.number().int().min(1), checkpoint_path: text, resume_strategy: text }),
    }),
  }),
);

const projectionRules = once(
  (): PayloadRules => ({
    forms: [z.looseObject({ status: text, outcomes: z.looseObject({ status: text }), links: object })],
    fields: z.looseObject({
      outcomes: z.looseObject(nullish({ summary: text, metrics: object })),
      links: z.record(z.string(), text),
    }),
  }),
);

/** The rules for runtime events by type. The first pattern that matches counts. */
export const runtimeRules: readonly (readonly [RegExp, () => PayloadRules | undefined])[] = [
  [/^run\.state_projection$/, projectionRules],
  [/^run\./, runRules],
  [/^/, () => undefined],
];

/** The rules for the events of a phase other than `runtime`. */
export const payloadRules = (phase: string): PayloadRules | undefined =>
  Object.hasOwn(PAYLOADS, phase) ? PAYLOADS[phase as keyof typeof PAYLOADS]() : undefined;

/** The rules for the events of a phase. For `runtime` they depend on the type of the event. */
export function rulesFor(phase: string, eventType?: unknown): PayloadRules | undefined {
  if (phase !== 'runtime') return payloadRules(phase);
  return typeof eventType === 'string'
    ? runtimeRules.find(([pattern]) => pattern.test(eventType))?.[1]()
    : undefined;
}

/**
 * The form that a payload should have, if it fits none. For `learn`, it is the form with learn.jsonl if one of its keys
 * is present.
 */
export function missedForm(
  { forms }: PayloadRules,
  payload: Readonly<Record<string, unknown>>,
): z.ZodObject | undefined {
  if (forms === undefined || forms.some((form) => fits(form, payload))) return undefined;
  return 'learn_path' in payload || 'learn_schema' in payload ? forms.at(-1) : forms[0];
}

/** The first documented form, if a payload fits none of them. */
export function missedDocumented(
  { documented }: PayloadRules,
  payload: Readonly<Record<string, unknown>>,
): z.ZodObject | undefined {
  return documented?.some((form) => fits(form, payload)) ? undefined : documented?.[0];
}
