/** Worst first: an `error` fails a verification, a `warn` raises a doubt, an `info` is worth knowing. */
export const SEVERITIES = ['error', 'warn', 'info'] as const;

export type Severity = (typeof SEVERITIES)[number];

/** The severities that a user's rule may set, in ascending order; `off` drops the finding. */
export const RULED_SEVERITIES = ['off', 'info', 'warn', 'error'] as const;

export type RuledSeverity = (typeof RULED_SEVERITIES)[number];
