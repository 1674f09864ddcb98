import * as z from 'zod';
import { count, filled, flag, instant, payload, share, text, texts } from './parts.ts';

const run = { runId: z.uuid(), suiteId: text };

/** Payloads of gates, quality and evaluation (exarchos.md §7.2, rows 27 to 34 and 39 to 41). */
export const QUALITY_PAYLOADS = {
  'gate.executed': payload({
    gateName: text,
    layer: text,
    passed: flag,
    duration: z.number().optional(),
    details: z.record(z.string(), z.unknown()).optional(),
  }),
  'quality.regression': payload({
    skill: text,
    gate: text,
    consecutiveFailures: count,
    firstFailureCommit: text,
    lastFailureCommit: text,
    detectedAt: instant,
  }),
  'quality.hint.generated': payload({
    skill: text,
    hintCount: count,
    categories: texts,
    generatedAt: instant,
  }),
  'quality.refinement.suggested': payload({
    skill: filled,
    signalConfidence: z.enum(['high', 'medium']),
    trigger: z.enum(['regression', 'trend-degradation', 'attribution-outlier']),
    evidence: payload({
      gatePassRate: z.number(),
      evalScore: z.number(),
      topFailureCategories: z.array(payload({ category: text, count: z.number() })),
      selfCorrectionRate: z.number(),
      recentRegressions: z.number(),
    }),
    suggestedAction: filled,
    affectedPromptPaths: texts,
  }),
  'eval.run.started': payload({
    ...run,
    layer: z.enum(['regression', 'capability', 'reliability']).optional(),
    trigger: z.enum(['ci', 'local', 'scheduled']),
    caseCount: count,
  }),
  'eval.case.completed': payload({
    ...run,
    caseId: text,
    passed: flag,
    score: share,
    assertions: z
      .array(payload({ name: text, type: text, passed: flag, score: share, reason: text }))
      .max(50),
    duration: count,
  }),
  'eval.run.completed': payload({
    ...run,
    total: count,
    passed: count,
    failed: count,
    avgScore: share,
    duration: count,
    regressions: texts,
  }),
  'eval.judge.calibrated': payload({
    skill: text,
    rubricName: text,
    split: z.enum(['validation', 'test']),
    tpr: share,
    tnr: share,
    accuracy: share,
    f1: share,
    tp: count,
    fp: count,
    tn: count,
    fn: count,
    goldStandardVersion: text,
    rubricVersion: text,
  }),
  'tool.invoked': payload({ tool: text }),
  'tool.completed': payload({
    tool: text,
    durationMs: z.number(),
    responseBytes: z.number(),
    tokenEstimate: z.number(),
  }),
  'tool.errored': payload({ tool: text, durationMs: z.number(), errorMessage: text }),
} as const;
