import { EXCERPT_BEFORE, EXCERPT_LENGTH } from '../base/json/place.ts';

/** The place inside an excerpt, in UTF-16 units from 0, and the ends at which the line was cut. */
export function placeInExcerpt(
  excerpt: string,
  column = 1,
): { at: number; cutBefore: boolean; cutAfter: boolean } {
  return {
    at: Math.min(Math.max(0, column - 1), EXCERPT_BEFORE, excerpt.length),
    cutBefore: column - 1 > EXCERPT_BEFORE,
    cutAfter: excerpt.length >= EXCERPT_LENGTH,
  };
}
