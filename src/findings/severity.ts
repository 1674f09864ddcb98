/** How much a finding weighs: `error` fails a verification, `warn` is a doubt, `info` is worth knowing. */
export type Severity = 'error' | 'warn' | 'info';
