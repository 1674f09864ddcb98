/** The only schema version the store has written (exarchos.md §3). */
export const SCHEMA_VERSION = '1.0';

/** Who should append events of a type. Logs do not record it (exarchos.md §7.1). */
export const EMISSION_SOURCES = ['auto', 'model', 'hook', 'planned'] as const;

export type EmissionSource = (typeof EMISSION_SOURCES)[number];

/** The description of a built-in type. */
export interface EventType {
  readonly name: string;
  /** The group in the published reference; for a type that it does not list, the first word of the name. */
  readonly group: string;
  readonly source: EmissionSource;
  /** Whether the published reference lists the type; it lists 60. */
  readonly documented: boolean;
}

/** The built-in types by source, in the order of exarchos.md §7.2. `*` marks those in the published reference. */
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

/** The groups of the reference whose names are not the first word of their types. */
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

/** Types that only earlier versions wrote (exarchos.md §7.4). */
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
 * The form of a type name: at least two lower-case words joined by dots. Allows underscores, which some built-in names
 * have although custom names could not always have them (exarchos.md §8).
 */
export const TYPE_NAME = /^[a-z][a-z0-9_-]*(?:\.[a-z][a-z0-9_-]*)+$/;
