import type { Statement } from './statement.ts';

/** The log of a workflow store (exarchos). */
export const WORKFLOW_STATEMENTS: readonly Statement[] = [
  { id: 'WF-001', wording: 'Append-only JSONL log, one per feature (stream); existing lines never change.' },
  {
    id: 'WF-002',
    wording:
      'Every workflow state change is an event: the log can be queried, replayed into state, and used to reconcile stored state against replay.',
  },
  { id: 'WF-003', wording: 'streamId — string, req: feature id or a shared stream name.' },
  {
    id: 'WF-004',
    wording:
      'sequence — number, req: monotonically increasing within its stream; a drop or repeat → violation; each stream counts on its own. (Start value and…',
  },
  { id: 'WF-005', wording: 'timestamp — string, req, ISO 8601.' },
  { id: 'WF-006', wording: 'type — string, req, dotted (e.g. task.completed).' },
  {
    id: 'WF-007',
    wording:
      'correlationId — string, opt: joins related events across operations; a query by it gathers them.',
  },
  {
    id: 'WF-008',
    wording:
      'causationId — string, opt: the event that caused this one. (The record has no id field to point at.)',
  },
  { id: 'WF-009', wording: 'agentId — string, opt: producer. source — string, opt: emission context.' },
  {
    id: 'WF-010',
    wording: 'schemaVersion — string, req in the record, default "1.0": an append without it stores "1.0".',
  },
  { id: 'WF-011', wording: 'data — object, opt: type-specific payload.' },
  {
    id: 'WF-012',
    wording: 'idempotencyKey — string, opt: a second append with the same key adds no second event.',
  },
  {
    id: 'WF-013',
    wording:
      'Four designated sources: auto, model, hook, planned; every built-in type has exactly one and the tool can list it.',
  },
  {
    id: 'WF-014',
    wording:
      'auto = deterministic side effect of server handlers (workflow.started, gate.executed); model = appended explicitly by the agent (team.spawned…',
  },
  {
    id: 'WF-015',
    wording:
      'hook = from lifecycle hooks (benchmark.completed); planned = schema only, not in production yet (eval.run.started), though a log holding one is…',
  },
  {
    id: 'WF-016',
    wording: 'Manual append of an auto type should not happen: the tool warns or refuses.',
  },
  {
    id: 'WF-017',
    wording:
      'The catalogue holds 60 types: workflow 13, task 5, quality 4, evaluation 4, stack 4, telemetry 3, benchmark 1, team 7, review 3, remediation 2…',
  },
  {
    id: 'WF-018',
    wording:
      'Workflow, all auto: workflow.started, workflow.transition, workflow.fix-cycle, workflow.guard-failed, workflow.checkpoint, workflow.compound-entry…',
  },
  {
    id: 'WF-019',
    wording:
      'workflow.started on oneshot workflows has data.synthesisPolicy, so that the policy survives rebuilding the state from events.',
  },
  {
    id: 'WF-020',
    wording:
      'workflow.pruned data: featureId, stalenessMinutes, triggeredBy (manual | scheduled), skippedSafeguards opt; since v2.6.0; emitted by the…',
  },
  {
    id: 'WF-021',
    wording:
      'Task: task.assigned, task.claimed (auto), task.progressed (TDD red/green/refactor), task.completed (auto, optional evidence), task.failed (auto…',
  },
  {
    id: 'WF-022',
    wording:
      'Quality: gate.executed (auto, pass/fail), quality.regression (model), quality.hint.generated (auto), quality.refinement.suggested (auto).',
  },
  {
    id: 'WF-023',
    wording:
      'Evaluation: eval.run.started, eval.case.completed, eval.run.completed (all planned), eval.judge.calibrated (auto).',
  },
  {
    id: 'WF-024',
    wording:
      'Stack: stack.position-filled, stack.restacked, stack.enqueued (auto), stack.submitted (model, with PR numbers).',
  },
  {
    id: 'WF-025',
    wording:
      'Telemetry, all auto: tool.invoked, tool.completed (with metrics), tool.errored. Benchmark: benchmark.completed (hook, with results).',
  },
  {
    id: 'WF-026',
    wording:
      'Team, all model: team.spawned, team.task.assigned, team.task.completed, team.task.failed, team.task.planned, team.teammate.dispatched, team.disbanded.',
  },
  {
    id: 'WF-027',
    wording:
      'Review, all model: review.routed, review.finding, review.escalated. Remediation, all model: remediation.attempted, remediation.succeeded.',
  },
  {
    id: 'WF-028',
    wording:
      'Shepherd: shepherd.started (auto), shepherd.iteration (model), shepherd.approval_requested (auto), shepherd.completed (auto).',
  },
  {
    id: 'WF-029',
    wording:
      'Session, all model: session.tagged, worktree.created, worktree.baseline, test.result, typecheck.result, ci.status, comment.posted, comment.resolved…',
  },
  {
    id: 'WF-030',
    wording:
      'Oneshot: synthesize.requested (auto; appended by the request action, since v2.6.0), data featureId, reason opt, timestamp.',
  },
  {
    id: 'WF-031',
    wording:
      'synthesize.requested is consumed by a guard at finalization: a count of one or more → opted in, zero → not; duplicates change nothing.',
  },
  { id: 'WF-032', wording: 'Other: state.patched (auto): state changed directly.' },
  {
    id: 'WF-033',
    wording:
      'Type grammar must take hyphens, underscores and three segments in built-ins (fix-cycle, approval_requested, team.task.assigned).',
  },
  { id: 'WF-034', wording: "Query takes a stream name and gives only that stream's events." },
  {
    id: 'WF-035',
    wording:
      'filter.type exact name (task.completed) → only that type; leaving the filter out → all events of the stream.',
  },
  {
    id: 'WF-036',
    wording:
      'filter.type with a wildcard (workflow.*) → every type with that prefix; task.* does not match team.task.*. Whether * spans several segments is not…',
  },
  { id: 'WF-037', wording: 'limit: n → at most n events. (First or last n not said.)' },
  {
    id: 'WF-038',
    wording:
      'Append takes stream and event {type, data}; streamId, sequence, timestamp and schemaVersion are filled in by the store.',
  },
  {
    id: 'WF-039',
    wording:
      'Example team.spawned data: teamSize number, teammateNames array, taskCount number, dispatchMode "parallel"; reads back as given.',
  },
  {
    id: 'WF-040',
    wording:
      'expectedSequence gives optimistic concurrency: equal to the current sequence → append succeeds; stale → conflict error and nothing written.',
  },
  {
    id: 'WF-041',
    wording: 'Custom types can be registered at runtime; thereafter append and query accept them.',
  },
  {
    id: 'WF-042',
    wording:
      'Custom name must be dot notation category.name (foo → rejected) and must not equal a built-in type (→ rejected).',
  },
];
