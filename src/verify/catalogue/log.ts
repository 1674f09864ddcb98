import type { CatalogueEntry } from '../catalogue-entry.ts';

export const LOG = [
  { code: 'log/missing', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'log/truncated', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'log/invalid-utf8', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'log/bom', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'log/nul-bytes', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'log/invalid-json', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'log/glued-records', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'log/split-record', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'log/not-object', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'log/non-finite', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'log/duplicate-key', severity: 'warn', meaning: '', why: '', example: '', fix: '' },
  { code: 'log/unsafe-integer', severity: 'info', meaning: '', why: '', example: '', fix: '' },
  { code: 'log/too-deep', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'log/line-too-long', severity: 'error', meaning: '', why: '', example: '', fix: '' },
  { code: 'log/no-final-newline', severity: 'info', meaning: '', why: '', example: '', fix: '' },
  { code: 'log/growing', severity: 'info', meaning: '', why: '', example: '', fix: '' },
] as const satisfies readonly CatalogueEntry[];
