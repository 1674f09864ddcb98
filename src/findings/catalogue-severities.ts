import { SHARED } from './catalogue/shared.ts';
import type { CatalogueEntry } from './catalogue-entry.ts';
import type { Severity } from './severity.ts';

/** The severity with which each finding is reported unless a check or the policy says otherwise. */
export type Severities = ReadonlyMap<string, Severity>;

/** The severities of the findings that dialects share, and of those of one dialect. */
export function severitiesOf(own: readonly CatalogueEntry[]): Severities {
  return new Map([...SHARED, ...own].map(({ code, severity }) => [code, severity]));
}

/** Of the shared findings alone. */
export const SHARED_SEVERITIES: Severities = severitiesOf([]);
