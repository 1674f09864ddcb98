import { SHARED } from './catalogue/shared.ts';
import type { CatalogueEntry } from './catalogue-entry.ts';
import type { Severity } from './severity.ts';

/** The severity of each finding unless a check or the policy overrides it. */
export type Severities = ReadonlyMap<string, Severity>;

/** The severities of the shared findings and of one dialect's own. */
export function severitiesOf(own: readonly CatalogueEntry[]): Severities {
  return new Map([...SHARED, ...own].map(({ code, severity }) => [code, severity]));
}

/** The severities of the shared findings alone. */
export const SHARED_SEVERITIES: Severities = severitiesOf([]);
