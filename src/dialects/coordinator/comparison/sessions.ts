import { type JsonValue, jsonEqual } from '../../../base/json/value.ts';
import type { Usage } from '../folds/facts.ts';
import type { LogFacts } from './log-facts.ts';
import type { StateParts } from './state-parts.ts';

/** Compares the session, its plan, and its compactions. */
export function compareSession(parts: StateParts, facts: LogFacts): void {
  const { session, resumes, compactions } = facts;
  const { previous_session_id: previous, compaction_count: count } = parts.state;
  // After a loss, the rebuilt log has a session that no event names (coordinator.md §4).
  if (previous === 'recovered') {
    for (const name of ['session_id', 'previous_session_id', 'session_resume_count'])
      if (name in parts.state) parts.found.skip([name], 'the state was rebuilt after a loss');
  } else {
    parts.member('session_id', session.id ?? undefined, 'session');
    parts.member('previous_session_id', session.previous, 'session');
    parts.member('session_resume_count', resumes, 'session');
  }
  parts.member('plan_file', session.planFile, 'session');
  parts.member('total_tasks', session.totalTasks, 'session');
  // The file is saved between the start and the end of a compaction.
  const { started, complete } = compactions;
  parts.member('compaction_count', jsonEqual(count, started) ? started : complete, 'compactions');
  parts.member('task_quality_assessed', facts.isAssessed, 'assessment');
}

/** Compares the use of the session. The last check and the last pause may both have been stored. */
export function compareUsage(parts: StateParts, facts: LogFacts): void {
  const { usage } = facts;
  const values = (name: keyof Usage): JsonValue[] =>
    usage.flatMap((one) => (one[name] === undefined ? [] : [one[name]]));
  parts.oneOf('session_utilisation', values('utilisation'), 'usage');
  parts.oneOf('session_remaining', values('remaining'), 'usage');
  parts.oneOf('session_resets_at', values('resetsAt'), 'usage');
}

/** Compares whether the infrastructure is blocked, and its repair. */
export function compareInfrastructure(parts: StateParts, facts: LogFacts): void {
  const { infrastructure, lastRemedy = null } = facts;
  const { blocked, issue, remediation } = infrastructure;
  parts.member('infrastructure_blocked', blocked, 'infrastructure');
  parts.member('infrastructure_issue', issue, 'infrastructure');
  parts.member('remediation_attempt_count', remediation?.attempt ?? 0, 'infrastructure');
  // The documents disagree about what ends a remediation, so its agent may stay listed.
  const isRunning = remediation?.agent !== undefined;
  parts.oneOf('active_remediation', isRunning ? [lastRemedy] : [null, lastRemedy], 'infrastructure');
}
