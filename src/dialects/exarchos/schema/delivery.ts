import * as z from 'zod';
import { count, filled, flag, int, payload, text, texts } from './parts.ts';

const branches = { taskId: text.optional(), sourceBranch: filled, targetBranch: filled };
const command = { field: z.enum(['test', 'typecheck', 'install']), repoRoot: filled };

/** Payloads of stacks, pull requests, merges and the program itself (exarchos.md §7.2, the other rows). */
export const DELIVERY_PAYLOADS = {
  'stack.position-filled': payload({
    position: int,
    taskId: text,
    branch: text.optional(),
    prUrl: text.optional(),
  }),
  'stack.restacked': payload({ branches: texts, conflicts: flag, reconstructed: flag }),
  'stack.enqueued': payload({ prNumbers: z.array(int) }),
  'stack.submitted': payload({ branches: texts, prNumbers: z.array(int) }),
  'shepherd.started': payload({ featureId: text }),
  'shepherd.iteration': payload({ iteration: count, prsAssessed: count, fixesApplied: count, status: text }),
  'shepherd.approval_requested': payload({ prUrl: text }),
  'shepherd.completed': payload({ prUrl: text, outcome: text }),
  'ci.status': payload({
    pr: int,
    status: z.enum(['passing', 'failing', 'pending']),
    jobUrl: text.optional(),
  }),
  'comment.posted': payload({ pr: int, commentId: text, body: text, inReplyTo: text.optional() }),
  'comment.resolved': payload({
    pr: int,
    threadId: text,
    resolvedBy: z.enum(['author', 'outdated', 'manual']),
  }),
  'provider.unknown-tier': payload({ reviewer: filled, rawTier: text.optional(), commentId: int }),
  'provider.parse-error': payload({ reviewer: filled, commentId: int, errorMessage: filled }),
  'dispatch.classified': payload({
    groupCount: count,
    directCount: count,
    delegateCount: count,
    severityDistribution: payload({ high: count, medium: count, low: count }),
  }),
  'merge.preflight': payload({
    ...branches,
    passed: flag,
    ancestry: payload({
      passed: flag,
      blocked: flag.optional(),
      checks: texts.optional(),
      reason: z.enum(['ancestry', 'git-error']).optional(),
      missing: texts.optional(),
      error: text.optional(),
    }).optional(),
    currentBranchProtection: payload({
      blocked: flag,
      reason: z.literal('current-branch-protected').optional(),
      currentBranch: text.optional(),
      hint: text.optional(),
    }).optional(),
    worktree: payload({ isMain: flag, actual: text, expected: text }).optional(),
    drift: payload({
      clean: flag,
      uncommittedFiles: texts,
      indexStale: flag,
      detachedHead: flag,
    }).optional(),
    failureReasons: texts.optional(),
  }),
  'merge.executed': payload({
    ...branches,
    strategy: z.enum(['squash', 'rebase', 'merge']).optional(),
    mergeSha: filled,
    rollbackSha: filled,
  }),
  'merge.rollback': payload({
    ...branches,
    rollbackSha: filled,
    reason: z.enum(['merge-failed', 'verification-failed', 'timeout']),
    rollbackError: filled.optional(),
  }),
  'diagnostic.executed': payload({
    summary: payload({ passed: count, warnings: count, failed: count, skipped: count }),
    checkCount: count,
    failedCheckNames: texts,
    durationMs: count,
  }),
  'init.executed': payload({
    runtimes: z.array(
      payload({
        runtime: filled,
        path: text.optional(),
        status: text,
        componentsWritten: texts,
        warnings: texts.optional(),
        error: text.optional(),
      }),
    ),
    vcs: payload({
      provider: text,
      remoteUrl: text,
      cliAvailable: flag,
      cliVersion: text.optional(),
    }).nullable(),
    durationMs: count,
  }),
  'command.resolved': z.discriminatedUnion('source', [
    payload({
      ...command,
      source: z.enum(['config', 'detection', 'override']),
      command: text,
      remediation: text.optional(),
    }),
    payload({ ...command, source: z.literal('unresolved'), command: z.null(), remediation: filled }),
  ]),
} as const;
