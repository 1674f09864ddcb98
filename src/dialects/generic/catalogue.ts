import type { CatalogueEntry } from '../../findings/catalogue-entry.ts';

/** Findings for formats that the user described. */
export const GENERIC = [
  {
    code: 'event/repeated-record',
    severity: 'warn',
    meaning: 'A record is identical to the one before it, byte for byte.',
    why: 'A retry or a copy appended it twice, so it counts twice.',
    example: 'Lines 12 and 13 are equal.',
    fix: 'If such records are usual in this format, turn the finding off: `--rule event/repeated-record=off`.',
  },
] as const satisfies readonly CatalogueEntry[];

declare module '../../findings/codes.ts' {
  interface FindingCodes extends Record<(typeof GENERIC)[number]['code'], unknown> {}
}
