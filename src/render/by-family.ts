import type { CatalogueEntry } from '../findings/catalogue-entry.ts';
import { familyOf } from './stage-of.ts';

/** Groups catalogue entries by family, keeping the order. */
export function byFamily(catalogue: readonly CatalogueEntry[]): Map<string, CatalogueEntry[]> {
  const families = new Map<string, CatalogueEntry[]>();
  for (const entry of catalogue) {
    const family = familyOf(entry.code);
    const entries = families.get(family) ?? [];
    families.set(family, entries);
    entries.push(entry);
  }
  return families;
}
