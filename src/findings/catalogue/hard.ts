import type { FindingCode } from '../codes.ts';
import { SHARED } from './shared.ts';

/** The hard findings outside the family `log`: effects of a lost record, and what could not be verified. */
const ALSO_HARD: readonly FindingCode[] = [
  'lineage/dangling-cause',
  'state/invalid-json',
  'artifact/corrupt',
  'artifact/unreadable',
  'archive/corrupt',
  'archive/too-large',
  'archive/unsafe-name',
  'archive/unsafe-entry',
  'archive/duplicate-entry',
  'archive/scattered',
  'archive/empty',
  'verify/unreadable-folder',
  'verify/internal',
];

const HARD: ReadonlySet<string> = new Set([
  ...SHARED.flatMap(({ code, severity }) => (code.startsWith('log/') && severity === 'error' ? [code] : [])),
  ...ALSO_HARD,
]);

/** Whether a finding is a hard failure: corruption, or something that was not verified. No rule may lower it. */
export function isHard(code: string): boolean {
  return HARD.has(code);
}
