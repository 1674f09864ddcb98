import type { SHARED } from './catalogue/shared.ts';

/** The codes that logs of several dialects share. */
export type SharedCode = (typeof SHARED)[number]['code'];

/**
 * The codes that findings may carry: here the shared ones. A dialect adds its own to this
 * interface, beside its part of the catalogue.
 */
export interface FindingCodes extends Record<SharedCode, unknown> {}

/** Every code that a finding may carry. */
export type FindingCode = keyof FindingCodes;
