import type { CatalogueEntry } from '../catalogue-entry.ts';

export const STATE = [
  { code: 'state/missing', severity: 'warn', meaning: '', why: '', example: '', fix: '' },
  { code: 'state/invalid-json', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'state/schema', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'state/vocabulary', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'state/links', severity: 'warn', meaning: '', why: '', example: '', fix: '' },
] as const satisfies readonly CatalogueEntry[];
