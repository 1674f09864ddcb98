import type { CatalogueEntry } from '../catalogue-entry.ts';

export const MANIFEST = [
  { code: 'manifest/invalid', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'manifest/missing-file', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'manifest/hash-mismatch', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'manifest/size-mismatch', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'manifest/unlisted-file', severity: 'warn', meaning: '', why: '', example: '', fix: '' },
  { code: 'manifest/unsafe-path', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'manifest/empty', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'manifest/duplicate-entry', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'manifest/signature', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'manifest/unverified-signature', severity: 'warn', meaning: '', why: '', example: '', fix: '' },
  { code: 'manifest/unsigned', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'seal/missing', severity: 'info', meaning: '', why: '', example: '', fix: '' },
  { code: 'seal/incomplete', severity: 'error', meaning: '', why: '', example: '', fix: '' },
] as const satisfies readonly CatalogueEntry[];
