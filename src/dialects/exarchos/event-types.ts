/** The only schema version the store has written (exarchos.md §3). */
export const SCHEMA_VERSION = '1.0';

/** Who is meant to append events of a type. Documentation only: nothing in a log says it (exarchos.md §7.1). */
export const EMISSION_SOURCES = ['auto', 'model', 'hook', 'planned'] as const;

export type EmissionSource = (typeof EMISSION_SOURCES)[number];

/** The description of a built-in type. */
export interface EventType {
  readonly name: string;
  /** Under which the published reference lists it; of a type it lacks, the first word of the name. */
  readonly group: string;
  readonly source: EmissionSource;
  /** One of the 60 that the published event reference lists. */
  readonly documented: boolean;
}

/** The built-in types by source, in the order of exarchos.md §7.2; `*` marks the 60 of the published reference. */
const BUILT_IN: Readonly<Record<EmissionSource, string>> = {
  auto: `
    *workflow.started *workflow.transition *workflow.fix-cycle *workflow.guard-failed *workflow.checkpoint
    *workflow.compound-entry *workflow.compound-exit *workflow.cancel *workflow.cleanup *workflow.compensation
    *workflow.circuit-open *workflow.cas-failed *workflow.pruned workflow.checkpoint_requested
    workflow.checkpoint_written workflow.checkpoint_superseded workflow.rehydrated workflow.snapshot_taken
    workflow.projection_degraded *task.claimed *task.completed *task.failed *state.patched *synthesize.requested
    *gate.executed *quality.hint.generated *quality.refinement.suggested *eval.judge.calibrated
    *stack.position-filled *stack.restacked *stack.enqueued *tool.invoked *tool.completed *tool.errored
    *shepherd.started *shepherd.approval_requested *shepherd.completed checkpoint.enforced checkpoint.state_missing
    preflight.executed preflight.blocked provider.unknown-tier provider.parse-error dispatch.classified
    merge.preflight merge.executed merge.rollback pr.created pr.merged pr.commented issue.created
    diagnostic.executed init.executed command.resolved`,
  model: `
    *task.assigned *task.progressed *quality.regression *stack.submitted *team.spawned *team.task.assigned
    *team.task.completed *team.task.failed *team.disbanded *team.task.planned *team.teammate.dispatched
    review.completed *review.routed *review.finding *review.escalated *remediation.attempted *remediation.succeeded
    *shepherd.iteration *session.tagged *worktree.created *worktree.baseline *test.result *typecheck.result
    *ci.status *comment.posted *comment.resolved`,
  hook: '*benchmark.completed',
  planned: '*eval.run.started *eval.case.completed *eval.run.completed',
};

/** Groups of the reference that are not called as the types in them are. */
const GROUPS: ReadonlyMap<string, string> = new Map([
  ['gate', 'quality'],
  ['eval', 'evaluation'],
  ['tool', 'telemetry'],
  ['worktree', 'session'],
  ['test', 'session'],
  ['typecheck', 'session'],
  ['ci', 'session'],
  ['comment', 'session'],
  ['synthesize', 'oneshot'],
  ['state', 'other'],
]);

function typesOf(source: EmissionSource): EventType[] {
  const words = BUILT_IN[source].trim().split(/\s+/);
  return words.map((word) => {
    const name = word.replace('*', '');
    const [first = name] = name.split('.');
    return { name, group: GROUPS.get(first) ?? first, source, documented: word.startsWith('*') };
  });
}

/** The 84 built-in types of exarchos 2.9.0-rc.2, by name (exarchos.md §7.2). */
export const EVENT_TYPES: ReadonlyMap<string, EventType> = new Map(
  EMISSION_SOURCES.flatMap(typesOf).map((type) => [type.name, type]),
);

/** Types that earlier versions wrote and later ones dropped (exarchos.md §7.4). */
export const FORMER_TYPES: ReadonlySet<string> = new Set([
  'team.context.injected',
  'team.formed',
  'phase.transitioned',
  'agent.message',
  'agent.handoff',
  'gate.self-corrected',
  'context.assembled',
  'task.routed',
  'remediation.started',
]);

/**
 * The form of any type's name: lower-case segments joined by dots, two at least. Wider than what may be registered,
 * for built-in names of all versions have underscores (exarchos.md §8).
 */
export const TYPE_NAME = /^[a-z][a-z0-9_-]*(?:\.[a-z][a-z0-9_-]*)+$/;
