import { defaultSeverity } from './catalogue/index.ts';
import type { Severity } from './severity.ts';

/** What a team makes of the findings: severities changed by code, and what must be there. */
export interface Policy {
  /** Changed severities, by code; `off` drops the finding. */
  readonly severities: ReadonlyMap<string, Severity | 'off'>;
  readonly requireSeal: boolean;
  readonly requireSignature: boolean;
  /** A warning fails too, and files the manifest does not list are errors. */
  readonly strict: boolean;
  /** More warnings than this fail. */
  readonly maxWarnings?: number;
  /** So many findings of one code and severity are kept of an episode, the others counted; 0 keeps all. */
  readonly maxFindings?: number;
}

/** Enough to see what is wrong, and few enough to hold and to show where a log has a fault on each of a million lines. */
export const DEFAULT_MAX_FINDINGS = 1000;

/** Every finding with the severity the catalogue gives it. */
export const DEFAULT_POLICY: Policy = {
  severities: new Map(),
  requireSeal: false,
  requireSignature: false,
  strict: false,
};

/** The severity a finding is reported with: the team's, else the one the rule gave, else the catalogue's. */
export function severityFor(policy: Policy, code: string, given?: Severity): Severity | 'off' {
  return policy.severities.get(code) ?? given ?? defaultSeverity(code);
}
