import type { CatalogueEntry } from '../catalogue-entry.ts';

export const CONSISTENCY = [
  { code: 'consistency/episode-id', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'consistency/task', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'consistency/seed', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'consistency/tags', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'consistency/using', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'consistency/started-at', severity: 'warn', meaning: '', why: '', example: '', fix: '' },
  { code: 'consistency/status', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'consistency/metrics', severity: 'warn', meaning: '', why: '', example: '', fix: '' },
  { code: 'consistency/learn', severity: 'warn', meaning: '', why: '', example: '', fix: '' },
  { code: 'consistency/action', severity: 'error', meaning: '', why: '', example: '', fix: '' },
] as const satisfies readonly CatalogueEntry[];
