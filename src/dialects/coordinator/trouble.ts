import { BLOCKS } from './vocabulary.ts';

/** Types that report trouble: the detail that says why, and the type of the event after which it is over. */
export const TROUBLE: ReadonlyMap<string, { readonly detail: string; readonly isOverAfter?: string }> =
  new Map([
    ['critic_fail', { detail: 'required_fixes', isOverAfter: 'critic_pass' }],
    ['auditor_fail', { detail: 'required_fixes' }],
    ['auditor_blocked', { detail: 'pre_existing_failures' }],
    ['developer_blocked', { detail: 'issue_details' }],
    ['developer_incomplete', { detail: 'blocker', isOverAfter: 'developer_ready_for_review' }],
    ['infrastructure_blocked', { detail: 'issue_type' }],
    ['remediation_exhausted', { detail: 'issue_type' }],
    ['remediation_failed', { detail: 'reason' }],
    ['expert_failed', { detail: 'error_reason', isOverAfter: 'expert_complete' }],
    ['health_audit_fail', { detail: 'failures' }],
    [
      'environment_verification_failed',
      { detail: 'error_details', isOverAfter: 'environment_verification_passed' },
    ],
    ['workflow_failed', { detail: 'reason' }],
  ]);

/** Trouble of the infrastructure, which is over when it is restored. Other trouble belongs to a task. */
export const OF_INFRASTRUCTURE: ReadonlySet<string> = new Set([
  ...BLOCKS,
  'remediation_exhausted',
  'remediation_failed',
  'health_audit_fail',
]);

/** Types after which the infrastructure works again. */
export const RESTORES: ReadonlySet<string> = new Set(['infrastructure_restored', 'health_audit_pass']);

/** The types of trouble that are over after an event of a type. */
export const OVERCOME: ReadonlyMap<string, readonly string[]> = new Map(
  [...TROUBLE].flatMap(([type, { isOverAfter }]) =>
    isOverAfter === undefined ? [] : [[isOverAfter, [type]] as const],
  ),
);
