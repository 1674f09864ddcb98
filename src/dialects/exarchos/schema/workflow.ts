import * as z from 'zod';
import { count, filled, flag, instant, int, object, payload, text, texts } from './parts.ts';

const feature = { featureId: text };
const step = { from: text, to: text, trigger: text, ...feature };

/** Payloads of the workflow and its state (exarchos.md §7.2, rows 1 to 19, 25 and 26). */
export const WORKFLOW_PAYLOADS = {
  'workflow.started': payload({
    ...feature,
    // Projects register their own workflow types, so any word is accepted.
    workflowType: text,
    designPath: text.optional(),
    synthesisPolicy: z.enum(['always', 'never', 'on-request']).optional(),
  }),
  'workflow.transition': payload(step),
  'workflow.fix-cycle': payload({ compoundStateId: text, count: int, ...feature }),
  'workflow.guard-failed': payload({ guard: text, from: text, to: text, ...feature }),
  'workflow.checkpoint': payload({ counter: int, phase: text, ...feature }),
  'workflow.compound-entry': payload({ compoundStateId: text, ...feature }),
  'workflow.compound-exit': payload({
    compoundStateId: text,
    ...feature,
    from: text.optional(),
    to: text.optional(),
    trigger: text.optional(),
  }),
  'workflow.cancel': payload({ ...step, reason: text.optional() }),
  'workflow.cleanup': payload(step),
  'workflow.compensation': payload({
    ...feature,
    actionId: text,
    status: z.enum(['executed', 'skipped', 'failed', 'dry-run']),
    message: text,
  }),
  'workflow.circuit-open': payload({
    ...feature,
    compoundId: text,
    fixCycleCount: int.optional(),
    maxFixCycles: int.optional(),
  }),
  'workflow.cas-failed': payload({ ...feature, phase: text, retries: int }),
  'workflow.pruned': payload({
    ...feature,
    stalenessMinutes: z.number().min(0),
    triggeredBy: z.enum(['manual', 'scheduled']),
    skippedSafeguards: texts.optional(),
  }),
  'workflow.checkpoint_requested': payload({
    trigger: z.enum(['manual', 'threshold', 'hook']),
    reason: text.optional(),
  }),
  'workflow.checkpoint_written': payload({
    projectionId: filled,
    projectionSequence: count,
    byteSize: count,
  }),
  'workflow.checkpoint_superseded': payload({ priorSequence: count, reason: filled }),
  'workflow.rehydrated': payload({
    projectionSequence: count,
    deliveryPath: z.enum(['direct', 'ndjson', 'snapshot']),
    tokenEstimate: count,
  }),
  'workflow.snapshot_taken': payload({ projectionId: filled, sequence: count }),
  'workflow.projection_degraded': payload({
    projectionId: filled,
    cause: z.enum(['reducer-throw', 'snapshot-corrupt', 'event-stream-unavailable']),
    fallbackSource: z.enum(['state-store-only', 'full-replay']),
  }),
  'synthesize.requested': payload({ ...feature, reason: text.optional(), timestamp: instant }),
} as const;

/** Payloads without a schema in the store, as observed in logs (exarchos.md §7.2). */
export const OBSERVED_PAYLOADS = {
  'state.patched': payload({ ...feature, fields: texts, patch: object }),
  'checkpoint.enforced': payload({
    operationsSince: int,
    threshold: int,
    blockedAction: z.enum(['phase-transition', 'wave-dispatch']),
  }),
  'checkpoint.state_missing': payload({ action: z.literal('set') }),
  'preflight.executed': payload({ checks: texts, passed: flag, integrationBranch: text }),
  'preflight.blocked': payload({ reason: text, details: object }),
  'pr.created': payload({ provider: text, prNumber: z.number(), url: text, base: text, head: text }),
  'pr.merged': payload({ provider: text, prId: text, strategy: text, merged: flag, sha: text.optional() }),
  'pr.commented': payload({ provider: text, prId: text }),
  'issue.created': payload({ provider: text, issueNumber: z.number(), url: text }),
} as const;
