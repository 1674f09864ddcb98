import * as z from 'zod';
import { parseInstant } from '../../../base/time/instant.ts';
import { SCHEMA_VERSION } from '../event-types.ts';

const optionalText = z.string().optional();

/**
 * The envelope as the store writes it (exarchos.md §3). Unknown keys are kept, because later versions add `eventId` and
 * `operationId`.
 */
export const eventSchema = z.looseObject({
  streamId: z.string().min(1).max(100),
  /** From 1, per stream. */
  sequence: z.int().min(1),
  /** In UTC with a literal `Z`, and any number of fraction digits. */
  timestamp: z.iso.datetime(),
  type: z.string().min(1),
  schemaVersion: z.string().min(1).max(20),
  correlationId: z.string().max(200).optional(),
  causationId: z.string().max(200).optional(),
  agentId: z.string().min(1).max(200).optional(),
  agentRole: z.string().max(50).optional(),
  tenantId: z.string().min(1).max(100).optional(),
  organizationId: z.string().min(1).max(100).optional(),
  source: z.string().max(100).optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  idempotencyKey: z.string().min(1).max(200).optional(),
});

/**
 * The envelope that a reader can use: version 2.0 had no limits on lengths, the published reference only requires ISO
 * 8601, and a missing version means the first.
 */
export const readableEventSchema = eventSchema.extend({
  streamId: z.string(),
  timestamp: z
    .string()
    .refine(
      (text) => parseInstant(text) !== undefined || z.iso.datetime().safeParse(text).success,
      'an ISO 8601 time',
    ),
  schemaVersion: z.string().default(SCHEMA_VERSION),
  correlationId: optionalText,
  causationId: optionalText,
  agentId: optionalText,
  agentRole: optionalText,
  tenantId: optionalText,
  organizationId: optionalText,
  source: optionalText,
  idempotencyKey: optionalText,
});

/** An event as the store writes it. */
export type ExarchosEvent = z.infer<typeof eventSchema>;
