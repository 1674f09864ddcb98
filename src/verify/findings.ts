import type { FindingCode } from './catalogue/index.ts';
import type { Finding, Severity } from './finding.ts';
import { type Policy, severityFor } from './policy.ts';
import { compareFindings } from './report.ts';

/** A finding as a rule reports it: the catalogue gives the severity unless the rule does. */
export type FindingDraft = Omit<Finding, 'code' | 'severity'> & {
  readonly code: FindingCode;
  readonly severity?: Severity;
};

/** Where rules report to. Applies the team's policy, and gives the findings in the order of a report. */
export class Findings {
  readonly #policy: Policy;
  readonly #found: Finding[] = [];

  constructor(policy: Policy) {
    this.#policy = policy;
  }

  report(draft: FindingDraft): void {
    const severity = severityFor(this.#policy, draft.code, draft.severity);
    if (severity !== 'off') this.#found.push({ ...draft, severity });
  }

  /** All that was reported, in the order of a report. */
  sorted(): Finding[] {
    return this.#found.sort(compareFindings);
  }
}
