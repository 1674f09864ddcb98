import type { SHARED } from './catalogue/shared.ts';

/** The codes that several dialects share. */
export type SharedCode = (typeof SHARED)[number]['code'];

/**
 * The codes that findings may have. These are the shared ones; a dialect adds its own to this interface, next
 * to its part of the catalogue.
 */
export interface FindingCodes extends Record<SharedCode, unknown> {}

export type FindingCode = keyof FindingCodes;
