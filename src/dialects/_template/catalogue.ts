import type { CatalogueEntry } from '../../findings/catalogue-entry.ts';

/** The findings that only logs of the template have. */
export const TEMPLATE = [
  {
    code: 'order/step',
    severity: 'warn',
    meaning: 'A step comes after a later one.',
    why: 'Events are missing, or were moved.',
    example: '"step":1 after "step":2.',
    fix: 'Compare the log with a copy.',
  },
] as const satisfies readonly CatalogueEntry[];

declare module '../../findings/codes.ts' {
  interface FindingCodes extends Record<(typeof TEMPLATE)[number]['code'], unknown> {}
}
