import * as z from 'zod';
import { amount, count, filled, flag, int, object, payload, share, text, texts } from './parts.ts';

const task = { taskId: text };
const teammate = { ...task, teammateName: text };
const result = payload({
  operation: filled,
  metric: text,
  value: z.number(),
  unit: text,
  baseline: z.number().optional(),
  regressionPercent: z.number().optional(),
  passed: flag,
});
const remediation = { taskId: filled, skill: filled, gateName: filled };

/** Payloads of tasks, teams and their tests (exarchos.md §7.2, rows 20 to 24, 42 to 49, 54, 55 and 60 to 64). */
export const WORK_PAYLOADS = {
  'task.assigned': payload({
    ...task,
    title: text,
    branch: text.optional(),
    worktree: text.optional(),
    assignee: text.optional(),
  }),
  'task.claimed': payload({ ...task, agentId: text, claimedAt: text }),
  'task.progressed': payload({
    ...task,
    tddPhase: z.enum(['red', 'green', 'refactor']),
    detail: z.string().max(500).optional(),
  }),
  'task.completed': payload({
    ...task,
    acceptanceTestRef: filled.optional(),
    artifacts: texts.optional(),
    duration: z.number().optional(),
    evidence: payload({
      type: z.enum(['test', 'build', 'typecheck', 'manual']),
      output: text,
      passed: flag,
    }).optional(),
    verified: flag.optional(),
    implements: texts.optional(),
    tests: z.array(payload({ name: text, file: text })).optional(),
    files: texts.optional(),
  }),
  'task.failed': payload({ ...task, error: z.string().max(500), diagnostics: object.optional() }),
  'benchmark.completed': payload({ ...task, results: z.array(result).min(1) }),
  'team.spawned': payload({ teamSize: count, teammateNames: texts, taskCount: count, dispatchMode: text }),
  'team.task.assigned': payload({ ...teammate, worktreePath: text, modules: texts }),
  'team.task.completed': payload({
    ...teammate,
    durationMs: amount,
    filesChanged: texts,
    testsPassed: flag,
    qualityGateResults: object,
  }),
  'team.task.failed': payload({ ...teammate, failureReason: text, gateResults: object }),
  'team.disbanded': payload({ totalDurationMs: amount, tasksCompleted: count, tasksFailed: count }),
  'team.task.planned': payload({ ...task, title: text, modules: texts, blockedBy: texts }),
  'team.teammate.dispatched': payload({
    teammateName: text,
    worktreePath: text,
    assignedTaskIds: texts,
    model: text,
  }),
  'remediation.attempted': payload({ ...remediation, attemptNumber: z.int().min(1), strategy: text }),
  'remediation.succeeded': payload({ ...remediation, totalAttempts: z.int().min(1), finalStrategy: text }),
  'session.tagged': payload({
    tag: z.string().min(1).max(100),
    sessionId: filled,
    description: z.string().max(500).optional(),
    branch: text.optional(),
  }),
  'worktree.created': payload({ ...task, path: text, branch: text }),
  'worktree.baseline': payload({
    ...task,
    path: text,
    status: z.enum(['passed', 'failed', 'skipped']),
    output: text.optional(),
  }),
  'test.result': payload({
    passed: flag,
    passCount: count,
    failCount: count,
    coveragePercent: z.number().min(0).max(100).optional(),
    output: text.optional(),
  }),
  'typecheck.result': payload({ passed: flag, errorCount: count, errors: texts.optional() }),
  'review.completed': payload({
    stage: z.enum(['spec-review', 'quality-review', 'security-review']),
    verdict: z.enum(['pass', 'fail', 'blocked']),
    findingsCount: count,
    summary: text,
  }),
  'review.routed': payload({
    pr: int,
    riskScore: share,
    factors: texts,
    destination: z.enum(['coderabbit', 'self-hosted', 'both']),
    velocityTier: z.enum(['normal', 'elevated', 'high']),
    semanticAugmented: flag,
  }),
  'review.finding': payload({
    pr: int,
    source: z.enum(['coderabbit', 'self-hosted']),
    severity: z.enum(['critical', 'major', 'minor', 'suggestion']),
    filePath: text,
    lineRange: z.tuple([int, int]).optional(),
    message: text,
    rule: text.optional(),
  }),
  'review.escalated': payload({ pr: int, reason: text, originalScore: share, triggeringFinding: text }),
} as const;
