import type { FindingCode } from './catalogue/index.ts';
import type { Finding, Severity } from './finding.ts';
import { PackedFindings } from './packed-findings.ts';
import { BATCH, PackedList } from './packed-list.ts';
import { type Policy, severityFor } from './policy.ts';
import { compareFindings, type Found, verdictOf } from './report.ts';

/** A finding as a rule reports it: the catalogue gives the severity unless the rule does. */
export type FindingDraft = Omit<Finding, 'code' | 'severity'> & {
  readonly code: FindingCode;
  readonly severity?: Severity;
};

/** Once findings are packed at all, so many are put in order at a time. */
const LATER_BATCH = 64;

/** Packed findings, each no earlier in the order of a report than the one before. */
interface Run {
  readonly list: PackedList<Finding>;
  last: Finding;
}

/** Where rules report to. Applies the team's policy, and gives the findings in the order of a report. */
export class Findings {
  readonly #policy: Policy;
  readonly #counts = { error: 0, warn: 0, info: 0 };
  /** What was reported last, not packed yet. */
  #found: Finding[] = [];
  readonly #runs: Run[] = [];

  constructor(policy: Policy) {
    this.#policy = policy;
  }

  report(draft: FindingDraft): void {
    const severity = severityFor(this.#policy, draft.code, draft.severity);
    if (severity === 'off') return;
    this.#counts[severity] += 1;
    this.#found.push(Object.assign({}, draft, { severity }));
    if (this.#found.length === (this.#runs.length === 0 ? BATCH : LATER_BATCH)) this.#pack();
  }

  /** All that was reported, and the verdict it gives. */
  conclude(): Found {
    const verdict = verdictOf(this.#counts);
    if (this.#runs.length === 0) return { verdict, findings: this.#found.sort(compareFindings) };
    this.#pack();
    const runs = this.#runs.map(({ list }) => list.data);
    return { verdict, findings: [], packed: new PackedFindings({ runs, counts: this.#counts }) };
  }

  /** Goes on with the run that ends nearest before these, so that there are as few runs as can be. */
  #pack(): void {
    const [first, ...rest] = this.#found.sort(compareFindings);
    this.#found = [];
    if (first === undefined) return;
    let run: Run | undefined;
    for (const other of this.#runs) {
      const fits = compareFindings(other.last, first) <= 0;
      if (fits && (run === undefined || compareFindings(run.last, other.last) < 0)) run = other;
    }
    if (run === undefined) {
      run = { list: new PackedList<Finding>(), last: first };
      this.#runs.push(run);
    }
    for (const finding of [first, ...rest]) run.list.add(finding);
    run.last = rest.at(-1) ?? first;
  }
}
