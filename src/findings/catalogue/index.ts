import type { CatalogueEntry } from '../catalogue-entry.ts';
import type { Severity } from '../severity.ts';
import { CATALOGUE } from './entries.ts';

export { CATALOGUE, type FindingCode } from './entries.ts';
export { FAMILIES } from './families.ts';
export { isHard } from './hard.ts';
export { hintForCode, matchCodes, nearestCodes } from './search.ts';

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
