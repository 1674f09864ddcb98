import type { CatalogueEntry } from '../catalogue-entry.ts';

export const GOVERNANCE = [
  { code: 'governance/act-after-veto', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'governance/unknown-candidate', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'governance/candidate', severity: 'warn', meaning: '', why: '', example: '', fix: '' },
  { code: 'governance/duplicate-id', severity: 'warn', meaning: '', why: '', example: '', fix: '' },
] as const satisfies readonly CatalogueEntry[];
