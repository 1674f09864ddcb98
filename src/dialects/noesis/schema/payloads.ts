import * as z from 'zod';

const text = z.string();
const list = z.array(z.unknown());
const object = z.record(z.string(), z.unknown());
/** A key that must be there, whatever it holds. */
const present = z.custom<unknown>((value) => value !== undefined, 'required');

/**
 * The forms a payload may take, by phase (noesis.md §2.2): of the documented form and what the runtime checks when it
 * writes, what both ask for. A payload that fits one of them is fine; every form allows more keys. A phase without an
 * entry may hold any object.
 */
export const payloadForms: Readonly<Record<string, readonly [z.ZodType, ...z.ZodType[]]>> = {
  observe: [z.looseObject({ task: text, timestamp: text })],
  intuition: [z.looseObject({ kind: text })],
  interpret: [z.looseObject({ signals: present })],
  plan: [z.looseObject({ steps: present })],
  direction: [
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
  governance: [z.looseObject({ governance_id: text, decision: text, policy_id: text })],
  action_candidate: [
    z.looseObject({
      action_candidate_id: present,
      kind: present,
      payload: present,
      state_ref: present,
      state_hash: present,
      redaction: present,
    }),
  ],
  act: [z.looseObject({ input_excerpt: text, outcome: text })],
  reflect: [z.looseObject({ success: present })],
  learn: [
    z.looseObject({ policy_id: text, basis: z.union([object, list, text]), proposal: list, scope: text }),
    z.looseObject({
      learn_path: text,
      learn_schema: text,
      proposal_count: z.number().int().min(0),
      proposal_ids: z.array(text),
      applied: z.boolean().optional(),
      applied_count: z.number().int().optional(),
    }),
  ],
  terminate: [z.looseObject({ status: text })],
};

/** Of `learn`, the form that speaks of learn.jsonl is meant when one of its own keys is there. */
export function intendedForm(
  phase: string,
  payload: Readonly<Record<string, unknown>>,
): z.ZodType | undefined {
  const forms = payloadForms[phase];
  if (phase === 'learn' && ('learn_path' in payload || 'learn_schema' in payload)) return forms?.at(-1);
  return forms?.[0];
}

/** Payload fields that need not be there, with the type both the documents and the runtime give them. */
export const optionalFields: Readonly<Record<string, z.ZodType>> = {
  observe: z.looseObject({ tags: object.nullish(), context: object.nullish() }),
  intuition: z.looseObject({
    confidence: z.number().optional(),
    blocking: z.boolean().optional(),
    salience_signals: list.optional(),
    strategy_hints: list.optional(),
    tool_constraints: list.optional(),
  }),
  interpret: z.looseObject({ signals: list, intent: text.nullish() }),
  plan: z.looseObject({
    steps: list,
    step_records: list.nullish(),
    source: text.nullish(),
    rationale: text.nullish(),
  }),
  direction: z.looseObject({ diff: list.nullish(), applied: z.boolean().optional(), steps: list.nullish() }),
  governance: z.looseObject({
    score: z.number().nullish(),
    details: object.nullish(),
    enforced: z.boolean().optional(),
    rule_id: text.nullish(),
  }),
  act: z.looseObject({
    action_id: text.nullish(),
    action_candidate_id: text.nullish(),
    kind: text.nullish(),
    tool: text.nullish(),
    adapter: text.nullish(),
    result_status: text.nullish(),
    step_id: text.nullish(),
    step_status: text.nullish(),
    provenance: object.nullish(),
    result_artifacts: list.nullish(),
  }),
  // The runtime writes true, and older ones 1 and 0.
  reflect: z.looseObject({ success: z.union([z.boolean(), z.literal(0), z.literal(1)]) }),
  learn: z.looseObject({ applied: z.boolean().optional() }),
  terminate: z.looseObject({ episode_id: text.nullish(), duration_ms: z.number().nullish() }),
};
