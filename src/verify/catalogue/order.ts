import type { CatalogueEntry } from '../catalogue-entry.ts';

export const ORDER = [
  { code: 'order/start-not-first', severity: 'warn', meaning: '', why: '', example: '', fix: '' },
  { code: 'order/terminate-missing', severity: 'info', meaning: '', why: '', example: '', fix: '' },
  { code: 'order/terminate-repeated', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'order/after-terminate', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'order/after-seal', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'order/lifecycle', severity: 'warn', meaning: '', why: '', example: '', fix: '' },
  { code: 'checkpoint/mismatch', severity: 'warn', meaning: '', why: '', example: '', fix: '' },
] as const satisfies readonly CatalogueEntry[];
