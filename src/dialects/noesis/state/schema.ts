import * as z from 'zod';
import {
  ACTION_STATUSES,
  FACT_TYPES,
  INTUITION_MODES,
  OUTCOME_STATUSES,
  STATE_SCHEMA_VERSIONS,
  STATE_VERSIONS,
  STEP_KINDS,
  STEP_STATUSES,
} from '../event/vocabulary.ts';

const text = z.string();
/** A word of a fixed vocabulary, or any other text, which `state/vocabulary` reports. */
type Word<Words extends readonly string[]> = Words[number] | (string & Record<never, never>);
const stepKind = text as z.ZodType<Word<typeof STEP_KINDS>>;
const stepStatus = text as z.ZodType<Word<typeof STEP_STATUSES>>;
const outcomeStatus = text as z.ZodType<Word<typeof OUTCOME_STATUSES>>;
const actionStatus = text as z.ZodType<Word<typeof ACTION_STATUSES>>;
const object = z.record(z.string(), z.unknown());
const present = z.custom<unknown>((value) => value !== undefined, 'required');

export const stepSchema = z.looseObject({
  id: text,
  kind: stepKind,
  description: text,
  status: stepStatus,
  rationale: text.optional(),
  inputs: object.optional(),
  outputs: object.optional(),
  depends_on: z.array(text).optional(),
});

export const planSchema = z.looseObject({
  steps: z.array(stepSchema),
  source: text.optional(),
  updated_at: text.optional(),
  rationale: text.optional(),
});

export const actionSchema = z.looseObject({
  id: text.optional(),
  kind: text.optional(),
  tool: text.optional(),
  input_excerpt: text.optional(),
  result_status: actionStatus.optional(),
  step_id: text.nullish(),
  timestamp: text.optional(),
  provenance: object.nullish(),
  result_artifacts: z.array(z.unknown()).nullish(),
  duration_ms: z.number().nullish(),
});

export const factSchema = z.looseObject({
  key: text,
  value: present,
  type: text.optional(),
  timestamp: text.nullish(),
  provenance: z.union([text, object]).nullish(),
  ttl_sec: z.number().min(0).nullish(),
});

export const processSchema = z.looseObject({
  id: text.optional(),
  name: text.optional(),
  run_index: z.number().int().min(1).optional(),
  kind: text.nullish(),
});

/**
 * state.json (docs/formats/noesis.md §6): the members that both the documents and the runtime's schema require, and the
 * types of those that both know. Unknown keys are kept.
 */
export const stateSchema = z.looseObject({
  version: text,
  state_schema_version: text,
  episode: z.looseObject({
    id: text,
    started_at: text,
    seed: z.number().nullish(),
    tags: object.optional(),
    using: text.nullish(),
    intuition_mode: text.nullish(),
  }),
  goal: z.looseObject({ task: text, type: text.optional(), context: text.nullish() }),
  beliefs: z.array(
    z.looseObject({
      statement: text,
      confidence: z.number().min(0).max(1),
      provenance: z.union([text, object]),
      timestamp: text.nullish(),
    }),
  ),
  plan: planSchema,
  memory: z.looseObject({
    facts: z.array(factSchema).optional(),
    scratchpad: text.nullish(),
  }),
  outcomes: z.looseObject({
    status: outcomeStatus,
    summary: text.nullish(),
    actions: z.array(actionSchema).optional(),
    metrics: object.optional(),
    artifacts: z.array(z.unknown()).optional(),
  }),
  links: z.record(text, text).optional(),
  process: processSchema.nullish(),
});

export type NoesisState = z.infer<typeof stateSchema>;

const { shape } = stateSchema;
const wordedStep = stepSchema.extend({ kind: z.enum(STEP_KINDS), status: z.enum(STEP_STATUSES) });
const wordedAction = actionSchema.extend({ result_status: z.enum(ACTION_STATUSES).optional() });

/** {@link stateSchema} with the words that `state/vocabulary` allows, for the JSON Schema. */
export const wordedStateSchema = stateSchema.extend({
  version: z.enum(STATE_VERSIONS),
  state_schema_version: z.enum(STATE_SCHEMA_VERSIONS),
  episode: shape.episode.extend({ intuition_mode: z.enum(INTUITION_MODES).nullish() }),
  plan: planSchema.extend({ steps: z.array(wordedStep) }),
  memory: shape.memory.extend({
    facts: z.array(factSchema.extend({ type: z.enum(FACT_TYPES).optional() })).optional(),
  }),
  outcomes: shape.outcomes.extend({
    status: z.enum(OUTCOME_STATUSES),
    actions: z.array(wordedAction).optional(),
  }),
});
