import type { CatalogueEntry } from '../catalogue-entry.ts';

export const PROJECTION = [
  { code: 'projection/plan', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'projection/outcomes', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'projection/links', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'projection/actions', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'projection/started-at', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'projection/not-derivable', severity: 'warn', meaning: '', why: '', example: '', fix: '' },
  { code: 'projection/status', severity: 'warn', meaning: '', why: '', example: '', fix: '' },
] as const satisfies readonly CatalogueEntry[];
