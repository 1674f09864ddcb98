import type { CatalogueEntry } from '../catalogue-entry.ts';

export const EVENT = [
  { code: 'event/missing-field', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'event/wrong-type', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'event/unknown-phase', severity: 'info', meaning: '', why: '', example: '', fix: '' },
  { code: 'event/payload', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'event/vocabulary', severity: 'warn', meaning: '', why: '', example: '', fix: '' },
  { code: 'event/duplicate-id', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'event/timestamp', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'event/time-order', severity: 'warn', meaning: '', why: '', example: '', fix: '' },
  { code: 'event/metrics', severity: 'warn', meaning: '', why: '', example: '', fix: '' },
  { code: 'event/range', severity: 'warn', meaning: '', why: '', example: '', fix: '' },
  { code: 'event/field-type', severity: 'warn', meaning: '', why: '', example: '', fix: '' },
] as const satisfies readonly CatalogueEntry[];
