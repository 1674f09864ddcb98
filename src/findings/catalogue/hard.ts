import type { CatalogueEntry } from '../catalogue-entry.ts';
import { SHARED } from './shared.ts';

const HARD: ReadonlySet<string> = new Set(
  SHARED.flatMap((entry: CatalogueEntry) => (entry.hard === true ? [entry.code] : [])),
);

/**
 * Whether a finding is a hard failure: corruption, a broken chain, or something that was not verified. No rule may lower it.
 */
export function isHard(code: string): boolean {
  return HARD.has(code);
}
