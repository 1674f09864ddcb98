import { isObject, type JsonObject } from '../../json/value.ts';
import { writeJson } from '../../json/write.ts';
import { fillIn } from './sentence.ts';

/**
 * The built-in types. For each: its meaning, in the words of the published reference if that lists the type, and a
 * sentence.
 */
const TABLE = `
workflow.started | Workflow initialized | {featureId}[ {workflowType}][, synthesis {synthesisPolicy}]
workflow.transition | Phase transition | [{from} ][→ {to}][ {reason}]
workflow.fix-cycle | Fix cycle incremented | [{from} → {to}][ in {compoundStateId}][, cycle {count}]
workflow.guard-failed | Transition guard rejected | {guard}[ {from} → {to}]
workflow.checkpoint | State checkpointed | {phase}[, checkpoint {counter}]
workflow.compound-entry | Entered compound state | enters {compoundStateId}[, from {from}]
workflow.compound-exit | Exited compound state | leaves {compoundStateId}[, to {to}]
workflow.cancel | Workflow cancelled | [{from} ][→ {to}][ {reason}][ (trigger {trigger})]
workflow.cleanup | Post-merge cleanup | [{from} → {to}][was {previousPhase}][ {prUrl}]
workflow.compensation | Saga compensation action | {actionId}[ {status}][: {message}]
workflow.circuit-open | Circuit breaker tripped | {compoundId}[ after {fixCycleCount} fix cycles][ of {maxFixCycles}]
workflow.cas-failed | Compare-and-swap retry exhausted | [in phase {phase} ][after {retries} retries]
workflow.pruned | Cancelled together with other stale workflows | [no activity for {stalenessMinutes} min][ ({triggeredBy})][, skipped {skippedSafeguards}]
workflow.checkpoint_requested | A checkpoint was asked for | by {trigger}[: {reason}]
workflow.checkpoint_written | A snapshot was written for a checkpoint | {projectionId}[ up to sequence {projectionSequence}][, {byteSize} bytes]
workflow.checkpoint_superseded | A later checkpoint replaced this one | [up to sequence {priorSequence}][: {reason}]
workflow.rehydrated | An agent took up the workflow again from a snapshot | [{projectionSequence} events][ by {deliveryPath}][, about {tokenEstimate} tokens]
workflow.snapshot_taken | A snapshot of a projection was taken | {projectionId}[ at sequence {sequence}]
workflow.projection_degraded | A projection could not be used | {projectionId}[: {cause}][, falls back to {fallbackSource}]
task.assigned | Task assigned to agent | [{taskId}][ {title}][ to {assignee}]
task.claimed | Agent claimed a task | {taskId}[ by {agentId}]
task.progressed | TDD phase progress (red/green/refactor) | {taskId}[ {tddPhase}][: {detail}]
task.completed | Task finished with optional evidence | {taskId}[ {evidence.type} {evidence.passed?passed:failed}]
task.failed | Task failed with error details | {taskId}[ {error}]
state.patched | Workflow state patched directly | {fields}
synthesize.requested | Synthesis asked for by a oneshot workflow | {featureId}[: {reason}]
gate.executed | Convergence gate ran with pass/fail result | {gateName|dimension}[ {passed?passed:failed}]
quality.regression | Consecutive gate failures detected | {gate}[ failed {consecutiveFailures} times in a row][ ({skill})]
quality.hint.generated | Quality hints generated for a skill | {hintCount} hints[ for {skill}][: {categories}]
quality.refinement.suggested | Refinement suggestion based on trends | {skill}[: {suggestedAction}][ ({trigger})]
eval.run.started | Eval suite started | {suiteId}[, {caseCount} cases][ ({trigger})]
eval.case.completed | Single eval case finished | {caseId}[ {passed?passed:failed}][, score {score}]
eval.run.completed | Eval suite finished | {suiteId}[: {passed} of {total} passed][, average {avgScore}]
eval.judge.calibrated | Judge accuracy metrics recorded | {skill}[ {rubricName}][ on {split}][: accuracy {accuracy}][, F1 {f1}]
stack.position-filled | Task placed in stack position | {taskId}[ at position {position}][, {branch}]
stack.restacked | Stack rebased | {branches}[ {conflicts?with:without} conflicts][, {reconstructed?reconstructed:kept}]
stack.enqueued | PRs enqueued for merge | PR {prNumbers}
stack.submitted | Stack submitted with PR numbers | [{branches}][ as PR {prNumbers}]
tool.invoked | MCP tool call started | {tool}
tool.completed | MCP tool call finished with metrics | {tool}
tool.errored | MCP tool call failed | {tool}[ {errorMessage}]
benchmark.completed | Performance benchmark results | {taskId}[: {#results} results]
team.spawned | Agent team created | {teammateNames}[, {taskCount} tasks][ {dispatchMode}]
team.task.assigned | Task assigned to teammate | {taskId}[ {teammateName}]
team.task.completed | Teammate finished a task | {taskId}[ {teammateName}][, tests {testsPassed?passed:failed}][, {#filesChanged} files]
team.task.failed | Teammate task failed | {taskId}[ {teammateName}][ {failureReason}]
team.task.planned | Task planned for team | {taskId}[ {title}][, after {blockedBy}]
team.teammate.dispatched | Teammate dispatched to worktree | {teammateName}[ ({model})][: {assignedTaskIds}]
team.disbanded | Team dissolved after work complete | {tasksCompleted} tasks completed[, {tasksFailed} failed]
review.completed | A review stage finished | {stage}[ {verdict}][ {summary}]
review.routed | PR routed to review destination | PR {pr}[ to {destination}][, risk {riskScore}]
review.finding | Review finding recorded | [{severity}][ {filePath}][ {message}]
review.escalated | Review escalated due to critical finding | PR {pr}[: {reason}]
remediation.attempted | Remediation strategy attempted | {taskId}[ {gateName}][, attempt {attemptNumber}][: {strategy}]
remediation.succeeded | Remediation completed successfully | {taskId}[ {gateName}][, {totalAttempts} attempts][: {finalStrategy}]
shepherd.started | Shepherd iteration loop began | {featureId}
shepherd.iteration | Single shepherd assess-fix-resubmit cycle | iteration {iteration}[ {status}][, {prsAssessed} PRs][, {fixesApplied} fixes]
shepherd.approval_requested | Review approval requested | {prUrl}
shepherd.completed | Shepherd process finished | {prUrl}[: {outcome}]
session.tagged | Session attributed to a feature/concern | {tag}[: {description}][ on {branch}]
worktree.created | Worktree created for a task | {taskId}[ {path}][ on {branch}]
worktree.baseline | Worktree baseline test result | {taskId}[ {status}][ in {path}]
test.result | Test suite execution result | {passed?passed:failed}[: {passCount} passed, {failCount} failed][, coverage {coveragePercent} %]
typecheck.result | Typecheck execution result | {passed?passed:failed}[: {errorCount} errors]
ci.status | CI status for a PR | PR {pr}[ {status}]
comment.posted | PR comment posted | PR {pr}[: {body}]
comment.resolved | PR comment thread resolved | PR {pr}[ thread {threadId}][ by {resolvedBy}]
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
`;

/** By type: its meaning, and a sentence about an event, which `fillIn` in sentence.ts completes. */
export const TYPE_WORDS: Readonly<Record<string, readonly [meaning: string, sentence: string]>> =
  Object.fromEntries(
    TABLE.trim()
      .split('\n')
      .map((line) => {
        const [type = '', meaning = '', sentence = ''] = line.split(' | ');
        return [type, [meaning, sentence]];
      }),
  );

/** The sentence for types that are not built in. */
const OTHER_TYPE =
  '[{taskId|pr}][ {teammateName}][ {title|error|failureReason|status|tddPhase}][ {passed?passed:failed}]';

/** Why a workflow was pruned. */
export function describePruned(data: JsonObject): string {
  const said = fillIn('[no activity for {stalenessMinutes} min][ ({triggeredBy})]', data);
  return said === '' ? 'no activity' : said;
}

/** A short description of an event for a table. Trace text, not escaped. */
export function describeEvent({ type, data }: JsonObject): string {
  if (!isObject(data)) return '';
  const known = typeof type === 'string' && Object.hasOwn(TYPE_WORDS, type) ? TYPE_WORDS[type] : undefined;
  const said = fillIn(known?.[1] ?? OTHER_TYPE, data);
  return said === '' ? writeJson(data) : said;
}
