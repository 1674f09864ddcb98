import type { CatalogueEntry } from '../catalogue-entry.ts';
import type { Severity } from '../finding.ts';
import { ARTIFACT } from './artifact.ts';
import { CONSISTENCY } from './consistency.ts';
import { EVENT } from './event.ts';
import { GOVERNANCE } from './governance.ts';
import { LINEAGE } from './lineage.ts';
import { LOG } from './log.ts';
import { MANIFEST } from './manifest.ts';
import { ORDER } from './order.ts';
import { PROJECTION } from './projection.ts';
import { STATE } from './state.ts';

export { matchCodes, nearestCodes } from './search.ts';

const ENTRIES = [
  ...LOG,
  ...EVENT,
  ...LINEAGE,
  ...ORDER,
  ...GOVERNANCE,
  ...STATE,
  ...PROJECTION,
  ...MANIFEST,
  ...CONSISTENCY,
  ...ARTIFACT,
] as const;

/** Every code that a finding may carry. */
export type FindingCode = (typeof ENTRIES)[number]['code'];

/** Every kind of finding, in the order in which a reader of the documentation meets them. */
export const CATALOGUE: readonly (CatalogueEntry & { readonly code: FindingCode })[] = ENTRIES;

const BY_CODE: ReadonlyMap<string, CatalogueEntry> = new Map(CATALOGUE.map((entry) => [entry.code, entry]));

/** What is known about a code. */
export function catalogueEntry(code: string): CatalogueEntry | undefined {
  return BY_CODE.get(code);
}

/** The severity a code is reported with unless a rule or a team says otherwise. Throws for an unknown code: a bug. */
export function defaultSeverity(code: string): Severity {
  const entry = BY_CODE.get(code);
  if (entry === undefined) throw new Error(`The catalogue has no finding ${JSON.stringify(code)}.`);
  return entry.severity;
}
