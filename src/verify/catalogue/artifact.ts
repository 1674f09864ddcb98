import type { CatalogueEntry } from '../catalogue-entry.ts';

export const ARTIFACT = [
  { code: 'artifact/schema', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'artifact/fingerprint', severity: 'warn', meaning: '', why: '', example: '', fix: '' },
  { code: 'artifact/unreadable', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'artifact/corrupt', severity: 'error', meaning: '', why: '', example: '', fix: '' },
] as const satisfies readonly CatalogueEntry[];
