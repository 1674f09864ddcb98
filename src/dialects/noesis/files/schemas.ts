import * as z from 'zod';
import { ADAPTER_RESULTS } from '../event/vocabulary.ts';

const text = z.string();
const object = z.record(z.string(), z.unknown());

/** summary.json (docs/formats/noesis.md §8.1). Version 1.3.0 added `verification`. */
export const summarySchema = z.looseObject({
  schema_version: text,
  episode_id: text,
  task: text,
  started_at: text,
  metrics: object,
  adapter_result: z.enum(ADAPTER_RESULTS).optional(),
  outcome: z.enum(['success', 'goal_not_achieved', 'success_unverified', 'error']).optional(),
  verification: z
    .looseObject({
      provided: z.boolean(),
      passed: z.boolean().nullable(),
      assertions: z.array(object).optional(),
    })
    .optional(),
});

/** The members that only version 1.3.0 of a summary requires. */
export const SUMMARY_1_3_KEYS = ['adapter_result', 'outcome', 'verification'] as const;

/** A record of learn.jsonl (docs/formats/noesis.md §8.2): the current form. */
export const learnSchema = z.looseObject({
  schema_version: text,
  id: text,
  episode_id: text,
  payload: object,
});

/** A record of learn.jsonl as early demos wrote it. */
export const legacyLearnSchema = z.looseObject({ id: text, kind: text, proposal: object });

/**
 * A record of prompts.jsonl (docs/formats/noesis.md §8.3). Runtimes have also written version 1.0.0 and the phase
 * `intuition`.
 */
export const promptSchema = z.strictObject({
  $schema_name: z.literal('prompt'),
  $schema_version: z.enum(['1.1.0', '1.0.0']),
  episode_id: text,
  phase: z.enum([
    'observe',
    'interpret',
    'plan',
    'governance',
    'act',
    'reflect',
    'learn',
    'intuition',
    'direction',
  ]),
  agent_id: text,
  fingerprint: text,
  timestamp: text,
  mode: z.enum(['full', 'hash_only', 'redacted']),
  event_id: text.nullish(),
  outcome_event_id: text.nullish(),
  role: text.nullish(),
  kind: text.nullish(),
  template_id: text.nullish(),
  template: text.nullish(),
  rendered: text.nullish(),
  variables: object.nullish(),
  model: text.nullish(),
  tags: z.record(text, text).nullish(),
});
