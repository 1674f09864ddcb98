import type { Severity } from './severity.ts';

/** The description of a finding code: the source of `noesis explain`, docs/findings.md and SARIF rules. */
export interface CatalogueEntry {
  /** `family/name`. It never changes. */
  readonly code: string;
  /** The usual severity. */
  readonly severity: Severity;
  /** An error means that something was damaged or altered, or was not verified. No rule may lower it. */
  readonly hard?: true;
  /**
   * It may mean that something was altered, or that it was not verified. A rule may lower it, but no baseline hides it. Hard
   * findings are never hidden either.
   */
  readonly altered?: true;
  /** Other severities that it may have, and when. */
  readonly varies?: string;
  /** The meaning, in one sentence. */
  readonly meaning: string;
  /** Why it matters to anyone who relies on the trace. */
  readonly why: string;
  /** A short piece of a trace, or a sentence, as an example. */
  readonly example: string;
  readonly fix: string;
}
