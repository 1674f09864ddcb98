/** The controlled words of the Noēsis formats. */

/** The version of the event schema that noesis implements. Records do not state it. */
export const EVENT_SCHEMA_VERSION = '1.3.0';

/** Phases of the cognitive loop (events 1.3.0). Extensions may add others, so an unknown phase is no error. */
export const PHASES = [
  'start',
  'observe',
  'interpret',
  'plan',
  'direction',
  'governance',
  'action_candidate',
  'act',
  'reflect',
  'learn',
  'runtime',
  'terminate',
  'insight',
  'memory',
  'intuition',
  'reason',
  'error',
] as const;

export type Phase = (typeof PHASES)[number];

/** Whether a member is an extension, which any program may add. */
export const isExtension = (key: string): key is `x-${string}` => key.startsWith('x-');

/** The phases that may follow `terminate`: scoring, storage, learning and the lifecycle of the run. */
export const AFTER_TERMINATE = ['insight', 'memory', 'learn', 'runtime'] as const;

/** The `event_type` of the runtime's own events (noesis.md §2.3). */
export const RUN_EVENTS = ['run.interrupt', 'run.checkpoint', 'run.resume', 'run.state_projection'] as const;

export const STEP_KINDS = ['detect', 'analyze', 'plan', 'act', 'verify', 'review'] as const;
export const STEP_STATUSES = ['pending', 'running', 'done', 'skipped', 'failed', 'vetoed'] as const;
export const OUTCOME_STATUSES = ['ok', 'error', 'vetoed', 'aborted', 'partial', 'pending'] as const;
/** The statuses of an action: the outcomes, and those of the runtime's tool contract (noesis.md §14). */
export const ACTION_STATUSES = [...OUTCOME_STATUSES, 'succeeded', 'failed', 'replayed'] as const;
export const FACT_TYPES = ['metric', 'alert', 'doc', 'note', 'signal'] as const;
export const INTUITION_MODES = ['advisory', 'interventive', 'hybrid'] as const;
/** The mode of a state without one, which older runtimes wrote. */
export const DEFAULT_INTUITION_MODE = 'advisory';

export const RISK_LEVELS = ['low', 'moderate', 'high', 'critical'] as const;
export const SCRUTINY_LEVELS = ['normal', 'elevated', 'strict'] as const;
export const POLICY_KINDS = ['llm', 'rules', 'hybrid'] as const;

export const INTUITION_KINDS = ['hint', 'intervention', 'veto'] as const;
export const SALIENCE_SIGNALS = [
  'task_complexity',
  'normalization_gap',
  'policy_hint',
  'safety_boundary',
] as const;
export const STRATEGY_HINTS = ['conservative', 'verify_first', 'retrieve_more', 'narrow_scope'] as const;
export const TOOL_CONSTRAINTS = ['no_side_effects', 'read_only', 'require_double_check'] as const;
export const DIRECTIVE_STATUSES = ['applied', 'blocked', 'skipped'] as const;
export const DECISIONS = ['allow', 'audit', 'veto'] as const;
export const LEARN_SCOPES = ['session', 'episode', 'policy', 'global'] as const;
/** Phases named after a faculty, which `faculty` of the event repeats. */
export const FACULTIES = ['intuition', 'direction', 'governance', 'insight'] as const;
export const CANDIDATE_VERSION = 'action_candidate/1.0.0';

export const ADAPTER_RESULTS = ['success', 'error', 'skipped'] as const;

export const STATE_VERSIONS = ['1.0'] as const;
export const STATE_SCHEMA_VERSIONS = ['1.0.0'] as const;

/** Statuses of `terminate`: those in the documents, those that the runtime writes, and those of its lifecycle. */
export const TERMINATE_STATUSES = [
  'completed',
  'errored',
  'vetoed',
  'aborted',
  'ok',
  'error',
  'partial',
  'success',
  'failed',
  'cancelled',
] as const;

/** Whether a word is in a list. */
export function isOneOf<T extends string>(list: readonly T[], word: unknown): word is T {
  return (list as readonly unknown[]).includes(word);
}

/** Whether two words mean the same outcome. Documents, runtime and artifacts use different words. */
export function sameStatus(a: string, b: string): boolean {
  return canonicalStatus(a) === canonicalStatus(b);
}

/** Whether a status means that a veto ended the run. */
export const isVetoed = (status: string | undefined): boolean =>
  status !== undefined && canonicalStatus(status) === 'vetoed';

/** The runtime's word for an outcome. */
export function canonicalStatus(status: string): string {
  switch (status) {
    case 'completed':
    case 'success':
      return 'ok';
    case 'errored':
    case 'failed':
      return 'error';
    case 'cancelled':
      return 'aborted';
    case 'veto':
      return 'vetoed';
    default:
      return status;
  }
}
