import type { Severity } from './severity.ts';

/** What the project knows about one finding code: the source of `noesis explain`, docs/findings.md and SARIF rules. */
export interface CatalogueEntry {
  /** `family/what`, stable for ever. */
  readonly code: string;
  /** The severity it is usually reported with. */
  readonly severity: Severity;
  /** The severities it may also be reported with, and when. */
  readonly varies?: string;
  /** What it means, in one sentence. */
  readonly meaning: string;
  /** Why it matters to somebody who relies on the trace. */
  readonly why: string;
  /** A short piece of a trace, or a sentence, that shows it. */
  readonly example: string;
  /** What to do about it. */
  readonly fix: string;
}
