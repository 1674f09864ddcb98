import { distance } from '../base/text/distance.ts';
import { matchesGlob } from '../base/text/glob.ts';
import { didYouMean, nearest } from '../base/text/nearest.ts';
import { CATALOGUE } from './catalogue.ts';

/**
 * The edit distance between a code and a typed text; 0 if the code begins with it. A text may omit the
 * family.
 */
function farFrom(code: string, typed: string): number {
  if (code.startsWith(typed)) return 0;
  const what = code.slice(code.indexOf('/') + 1);
  return Math.min(distance(typed, code), distance(typed, what));
}

/** The three codes most similar to a mistyped one. */
export function nearestCodes(text: string): string[] {
  // No code is longer; comparing the rest only costs time.
  const typed = text.slice(0, 64).toLowerCase();
  return CATALOGUE.map(({ code }) => ({ code, far: farFrom(code, typed) }))
    .sort((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({ code }) => code);
}

/** The hint for an unknown code: similar codes or types of events, and where all codes are listed. */
export function hintForCode(text: string, types: readonly string[] = []): string {
  const typed = text.slice(0, 64).toLowerCase();
  const codes = nearestCodes(typed).filter((code) => farFrom(code, typed) <= typed.length * 0.4);
  const question = didYouMean([...codes, ...nearest(types, typed)]);
  return question === undefined
    ? 'run noesis explain for all findings and words'
    : `${question} noesis explain lists all`;
}

/** The codes that match a glob, in catalogue order. */
export function matchCodes(glob: string): string[] {
  return CATALOGUE.map(({ code }) => code).filter((code) => matchesGlob(code, glob));
}
