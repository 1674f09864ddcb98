/** The only schema version the store has written (exarchos.md §3). */
export const SCHEMA_VERSION = '1.0';

/** Who should append events of a type. Logs do not record it (exarchos.md §7.1). */
export const EMISSION_SOURCES = ['auto', 'model', 'hook', 'planned'] as const;

type EmissionSource = (typeof EMISSION_SOURCES)[number];

/** The description of a built-in type. */
interface EventType {
  readonly name: string;
  /** The group in the published reference; for a type that it does not list, the first word of the name. */
  readonly group: string;
  readonly source: EmissionSource;
  /** Whether the published reference lists the type; it lists 60. */
  readonly documented: boolean;
  readonly meaning: string;
  /** A sentence about an event, which `fillIn` in sentence.ts completes. */
  readonly sentence: string;
}

/**
 * The built-in types by source, in the order of exarchos.md §7.2. `*` marks those in the published reference. For each: its
 * meaning, in the words of the reference if that lists the type, and a sentence.
 */
const BUILT_IN: Readonly<Record<EmissionSource, string>> = {
  auto: `
*workflow.started | Workflow initialized | {featureId}[ {workflowType}][, synthesis {synthesisPolicy}]
*workflow.transition | Phase transition | [{from} ][→ {to}][ {reason}]
*workflow.fix-cycle | Fix cycle incremented | [{from} → {to}][ in {compoundStateId}][, cycle {count}]
*workflow.guard-failed | Transition guard rejected | {guard}[ {from} → {to}]
*workflow.checkpoint | State checkpointed | {phase}[, checkpoint {counter}]
*workflow.compound-entry | Entered compound state | enters {compoundStateId}[, from {from}]
*workflow.compound-exit | Exited compound state | leaves {compoundStateId}[, to {to}]
*workflow.cancel | Workflow cancelled | [{from} ][→ {to}][ {reason}][ (trigger {trigger})]
*workflow.cleanup | Post-merge cleanup | [{from} → {to}][was {previousPhase}][ {prUrl}]
*workflow.compensation | Saga compensation action | {actionId}[ {status}][: {message}]
*workflow.circuit-open | Circuit breaker tripped | {compoundId}[ after {fixCycleCount} fix cycles][ of {maxFixCycles}]
*workflow.cas-failed | Compare-and-swap retry exhausted | [in phase {phase} ][after {retries} retries]
*workflow.pruned | Cancelled together with other stale workflows | [no activity for {stalenessMinutes} min][ ({triggeredBy})][, skipped {skippedSafeguards}]
workflow.checkpoint_requested | A checkpoint was asked for | by {trigger}[: {reason}]
workflow.checkpoint_written | A snapshot was written for a checkpoint | {projectionId}[ up to sequence {projectionSequence}][, {byteSize} bytes]
workflow.checkpoint_superseded | A later checkpoint replaced this one | [up to sequence {priorSequence}][: {reason}]
workflow.rehydrated | An agent took up the workflow again from a snapshot | [{projectionSequence} events][ by {deliveryPath}][, about {tokenEstimate} tokens]
workflow.snapshot_taken | A snapshot of a projection was taken | {projectionId}[ at sequence {sequence}]
workflow.projection_degraded | A projection could not be used | {projectionId}[: {cause}][, falls back to {fallbackSource}]
*task.claimed | Agent claimed a task | {taskId}[ by {agentId}]
*task.completed | Task finished with optional evidence | {taskId}[ {evidence.type} {evidence.passed?passed:failed}]
*task.failed | Task failed with error details | {taskId}[ {error}]
*state.patched | Workflow state patched directly | {fields}
*synthesize.requested | Synthesis asked for by a oneshot workflow | {featureId}[: {reason}]
*gate.executed | Convergence gate ran with pass/fail result | {gateName|dimension}[ {passed?passed:failed}]
*quality.hint.generated | Quality hints generated for a skill | {hintCount} hints[ for {skill}][: {categories}]
*quality.refinement.suggested | Refinement suggestion based on trends | {skill}[: {suggestedAction}][ ({trigger})]
*eval.judge.calibrated | Judge accuracy metrics recorded | {skill}[ {rubricName}][ on {split}][: accuracy {accuracy}][, F1 {f1}]
*stack.position-filled | Task placed in stack position | {taskId}[ at position {position}][, {branch}]
*stack.restacked | Stack rebased | {branches}[ {conflicts?with:without} conflicts][, {reconstructed?reconstructed:kept}]
*stack.enqueued | PRs enqueued for merge | PR {prNumbers}
*tool.invoked | MCP tool call started | {tool}
*tool.completed | MCP tool call finished with metrics | {tool}
*tool.errored | MCP tool call failed | {tool}[ {errorMessage}]
*shepherd.started | Shepherd iteration loop began | {featureId}
*shepherd.approval_requested | Review approval requested | {prUrl}
*shepherd.completed | Shepherd process finished | {prUrl}[: {outcome}]
checkpoint.enforced | Work was stopped until a checkpoint is written | {blockedAction}[: {operationsSince} operations][ of {threshold}]
checkpoint.state_missing | A checkpoint found no state | {action}
preflight.executed | Checks ran before tasks were delegated | {passed?passed:failed}[: {checks}]
preflight.blocked | A check stopped the delegation of tasks | {reason}
provider.unknown-tier | A reviewer used an unknown severity | {reviewer}[ "{rawTier}"][, comment {commentId}]
provider.parse-error | A comment of a reviewer could not be read | {reviewer}[, comment {commentId}][: {errorMessage}]
dispatch.classified | Review items sorted into direct work and delegation | {groupCount} groups[, {directCount} direct][, {delegateCount} delegated]
merge.preflight | Checks ran before a merge | {sourceBranch}[ → {targetBranch}][ {passed?passed:failed}][: {failureReasons}]
merge.executed | Branches merged | {sourceBranch}[ → {targetBranch}][ by {strategy}]
merge.rollback | A merge was undone | {sourceBranch}[ → {targetBranch}][: {reason}]
pr.created | Pull request created | #{prNumber}[ {head} → {base}][ {url}]
pr.merged | Pull request merged | {prId}[ by {strategy}][, {merged?merged:not merged}]
pr.commented | Comment posted on a pull request | {prId}
issue.created | Issue created | #{issueNumber}[ {url}]
diagnostic.executed | The program checked its own installation | {summary.passed} passed[, {summary.failed} failed][: {failedCheckNames}]
init.executed | The program was set up | {#runtimes} runtimes[, {vcs.provider}]
command.resolved | A command for tests or types was looked up | {field}[: {command}][ ({source})]
`,
  model: `
*task.assigned | Task assigned to agent | [{taskId}][ {title}][ to {assignee}]
*task.progressed | TDD phase progress (red/green/refactor) | {taskId}[ {tddPhase}][: {detail}]
*quality.regression | Consecutive gate failures detected | {gate}[ failed {consecutiveFailures} times in a row][ ({skill})]
*stack.submitted | Stack submitted with PR numbers | [{branches}][ as PR {prNumbers}]
*team.spawned | Agent team created | {teammateNames}[, {taskCount} tasks][ {dispatchMode}]
*team.task.assigned | Task assigned to teammate | {taskId}[ {teammateName}]
*team.task.completed | Teammate finished a task | {taskId}[ {teammateName}][, tests {testsPassed?passed:failed}][, {#filesChanged} files]
*team.task.failed | Teammate task failed | {taskId}[ {teammateName}][ {failureReason}]
*team.disbanded | Team dissolved after work complete | {tasksCompleted} tasks completed[, {tasksFailed} failed]
*team.task.planned | Task planned for team | {taskId}[ {title}][, after {blockedBy}]
*team.teammate.dispatched | Teammate dispatched to worktree | {teammateName}[ ({model})][: {assignedTaskIds}]
review.completed | A review stage finished | {stage}[ {verdict}][ {summary}]
*review.routed | PR routed to review destination | PR {pr}[ to {destination}][, risk {riskScore}]
*review.finding | Review finding recorded | [{severity}][ {filePath}][ {message}]
*review.escalated | Review escalated due to critical finding | PR {pr}[: {reason}]
*remediation.attempted | Remediation strategy attempted | {taskId}[ {gateName}][, attempt {attemptNumber}][: {strategy}]
*remediation.succeeded | Remediation completed successfully | {taskId}[ {gateName}][, {totalAttempts} attempts][: {finalStrategy}]
*shepherd.iteration | Single shepherd assess-fix-resubmit cycle | iteration {iteration}[ {status}][, {prsAssessed} PRs][, {fixesApplied} fixes]
*session.tagged | Session attributed to a feature/concern | {tag}[: {description}][ on {branch}]
*worktree.created | Worktree created for a task | {taskId}[ {path}][ on {branch}]
*worktree.baseline | Worktree baseline test result | {taskId}[ {status}][ in {path}]
*test.result | Test suite execution result | {passed?passed:failed}[: {passCount} passed, {failCount} failed][, coverage {coveragePercent} %]
*typecheck.result | Typecheck execution result | {passed?passed:failed}[: {errorCount} errors]
*ci.status | CI status for a PR | PR {pr}[ {status}]
*comment.posted | PR comment posted | PR {pr}[: {body}]
*comment.resolved | PR comment thread resolved | PR {pr}[ thread {threadId}][ by {resolvedBy}]
`,
  hook: `
*benchmark.completed | Performance benchmark results | {taskId}[: {#results} results]
`,
  planned: `
*eval.run.started | Eval suite started | {suiteId}[, {caseCount} cases][ ({trigger})]
*eval.case.completed | Single eval case finished | {caseId}[ {passed?passed:failed}][, score {score}]
*eval.run.completed | Eval suite finished | {suiteId}[: {passed} of {total} passed][, average {avgScore}]
`,
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
  const lines = BUILT_IN[source].trim().split('\n');
  return lines.map((line) => {
    const [marked = '', meaning = '', sentence = ''] = line.split(' | ');
    const name = marked.replace('*', '');
    const [first = name] = name.split('.');
    const group = GROUPS.get(first) ?? first;
    return { name, group, source, documented: marked !== name, meaning, sentence };
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
 * The form of a type name: at least two lower-case words joined by dots. Older versions allowed hyphens and digits in
 * custom names, and newer ones underscores, which some built-in names always had (exarchos.md §8).
 */
export const TYPE_NAME = /^[a-z][a-z0-9_-]*(?:\.[a-z][a-z0-9_-]*)+$/;
