import { EXCERPT_BEFORE, EXCERPT_LENGTH, wholeCharacters } from '../json/place.ts';

export { EXCERPT_BEFORE, EXCERPT_LENGTH };

/**
 * The excerpt of a finding for a line that is available as text: at most {@link EXCERPT_BEFORE} UTF-16 units
 * before `column` (from 1, by default the start of the line) and {@link EXCERPT_LENGTH} in all. For bytes,
 * `excerptAround` of json/place.ts gives the same without decoding the whole line.
 */
export function excerptAt(lineText: string, column = 1): string {
  const place = Math.min(Math.max(0, column - 1), lineText.length);
  const from = Math.max(0, place - EXCERPT_BEFORE);
  return wholeCharacters(lineText.slice(from, from + EXCERPT_LENGTH));
}

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
