import type { FindingDraft } from '../../../findings/findings.ts';

/** The findings of open causes or references in the record on `line`, which is the last one. */
export function pendingAt(
  open: readonly { readonly line: number; readonly draft: FindingDraft | undefined }[],
  line: number,
): FindingDraft[] {
  const first = open.findLastIndex((one) => one.line !== line) + 1;
  return open.slice(first).flatMap(({ draft }) => draft ?? []);
}
