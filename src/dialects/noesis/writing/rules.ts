import * as z from 'zod';
import type { JsonObject } from '../../../base/json/value.ts';
import { isInstant } from '../../../base/time/instant.ts';
import { type SchemaIssue, schemaIssues } from '../../../findings/schema-issues.ts';
import { fits } from '../../../log/schema/fits.ts';
import { eventSchema } from '../schema/event.ts';
import { missedForm, rulesFor } from '../schema/payloads.ts';

// The runtime checks more when it writes than readers need to (docs/formats/noesis.md §2).

const instant = z.string().refine(isInstant, 'an ISO 8601 time');
const present = z.unknown().refine((value) => value !== undefined, 'required');
const object = z.record(z.string(), z.unknown());

/** The envelope as the runtime writes it. Its published schema does not allow null. */
const writtenSchema = eventSchema.extend({
  timestamp: instant,
  episode_id: z.string().min(1),
  evidence_ids: z.array(z.string()),
  phase: z.string().min(1),
  agent_id: z.string().optional(),
  caused_by: z.string().optional(),
  metrics: z
    .looseObject({ started_at: instant, completed_at: instant, duration_ms: z.number().min(0) })
    .optional(),
});

const runtimeSchema = writtenSchema.extend({ event_type: z.string().min(1) });

const REFERENCE = z.looseObject({ learn_path: z.string(), learn_schema: z.string() });
const INLINE = z.looseObject({ policy_id: z.string(), proposal: present, scope: z.string() });

/** Members that a payload must have to be written, by phase. */
const WRITTEN: Readonly<Record<string, z.ZodType>> = {
  observe: z.looseObject({ task: present, tags: present, timestamp: present }),
  action_candidate: z.looseObject({
    action_candidate_id: present,
    kind: present,
    payload: object,
    state_ref: present,
    state_hash: present,
    redaction: object,
  }),
  runtime: z.looseObject({ status: present }),
};

/** An event with a valid envelope. */
type WrittenEvent = z.infer<typeof writtenSchema>;

/** The first fault that involves several members. */
function relationFault({ phase, payload, caused_by: cause }: WrittenEvent): string | undefined {
  if (phase === 'act') {
    if (payload['tool'] === undefined && payload['adapter'] === undefined)
      return 'payload.tool or payload.adapter is missing';
    const { outcome, result_status: result } = payload;
    if (result !== undefined && result !== outcome)
      return 'payload.outcome and payload.result_status must be the same';
    if (payload['action_candidate_id'] !== undefined && typeof cause !== 'string')
      return 'caused_by is missing: an act on a candidate must name what allowed it';
  }
  if (phase === 'learn' && fits(REFERENCE, payload) && fits(INLINE, payload))
    return 'payload mixes both forms of a learn event: a reference to learn.jsonl, and the proposal itself';
  return undefined;
}

/** Checks the required members of a payload, then the types of its fields. */
function payloadIssues({ phase, payload, event_type: type }: WrittenEvent): SchemaIssue[] {
  const rules = rulesFor(phase, type);
  const written = Object.hasOwn(WRITTEN, phase) ? WRITTEN[phase] : undefined;
  const issues = written ? schemaIssues(written, payload, ['payload']) : [];
  if (rules === undefined || issues.length > 0) return issues;
  const missed = missedForm(rules, payload);
  if (missed !== undefined) return schemaIssues(missed, payload, ['payload']);
  return schemaIssues(rules.fields, payload, ['payload']);
}

/** Why an event must not be written; an empty list if it may. */
export function writingFaults(event: JsonObject): string[] {
  const schema = event['phase'] === 'runtime' ? runtimeSchema : writtenSchema;
  if (!fits(schema, event)) return schemaIssues(schema, event).map(({ message }) => message);
  const issues = payloadIssues(event).map(({ message }) => message);
  const fault = issues.length === 0 ? relationFault(event) : undefined;
  return fault === undefined ? issues : [fault];
}
