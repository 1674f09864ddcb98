import type { CatalogueEntry } from '../../../../src/findings/catalogue-entry.ts';

/** The findings that only logs of pebbles have. */
export const PEBBLE = [
  {
    code: 'sequence/lighter-stone',
    severity: 'warn',
    meaning: 'A stone is lighter than the one before it.',
    why: 'Stones are thrown from the lightest to the heaviest: some are missing, or were moved.',
    example: 'A stone of 3 on line 2, and one of 2 on line 3.',
    fix: 'Compare the log with a copy.',
  },
  {
    code: 'artifact/dry-pond',
    severity: 'error',
    meaning: 'The list of ponds names one without water.',
    why: 'No pebble can have been thrown into it.',
    example: '`{"dry":["north"]}`, and a pebble thrown into the north.',
    fix: 'Ask who wrote the list.',
  },
] as const satisfies readonly CatalogueEntry[];

declare module '../../../../src/findings/codes.ts' {
  interface FindingCodes extends Record<(typeof PEBBLE)[number]['code'], unknown> {}
}
