import type { CatalogueEntry } from '../catalogue-entry.ts';

export const LINEAGE = [
  { code: 'lineage/dangling-cause', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'lineage/forward-cause', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'lineage/cycle', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'lineage/evidence', severity: 'warn', meaning: '', why: '', example: '', fix: '' },
  { code: 'lineage/broken-link', severity: 'warn', meaning: '', why: '', example: '', fix: '' },
] as const satisfies readonly CatalogueEntry[];
