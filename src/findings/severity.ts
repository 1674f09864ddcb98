/** The worst first: an `error` fails a verification, a `warn` is a doubt, an `info` is worth knowing. */
export const SEVERITIES = ['error', 'warn', 'info'] as const;

/** How much a finding weighs. */
export type Severity = (typeof SEVERITIES)[number];

/** What a rule of the user may turn a finding into, the least first: `off` drops it. */
export const RULED_SEVERITIES = ['off', 'info', 'warn', 'error'] as const;

/** A severity that a rule of the user gives, or `off`. */
export type RuledSeverity = (typeof RULED_SEVERITIES)[number];
