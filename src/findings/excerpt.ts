import { EXCERPT_BEFORE, EXCERPT_LENGTH, wholeCharacters } from '../json/place.ts';

export { EXCERPT_BEFORE, EXCERPT_LENGTH };

/**
 * The excerpt of a finding for a line that is at hand as text: at most {@link EXCERPT_BEFORE} UTF-16 units before
 * `column` (from 1; by default the line's start) and {@link EXCERPT_LENGTH} in all. Where the line is at hand as
 * bytes, `excerptAround` of json/place.ts gives the same without decoding all of it.
 */
export function excerptAt(lineText: string, column = 1): string {
  const place = Math.min(Math.max(0, column - 1), lineText.length);
  const from = Math.max(0, place - EXCERPT_BEFORE);
  return wholeCharacters(lineText.slice(from, from + EXCERPT_LENGTH));
}

/** Where the place is inside an excerpt, in UTF-16 units from 0, and at which ends the line was cut. */
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
