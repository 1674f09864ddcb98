import { distance } from '../text/distance.ts';
import { matchesGlob } from '../text/glob.ts';
import { CATALOGUE } from './catalogue.ts';

/** How far a typed text is from a code: 0 for its beginning, or for its part behind the slash. */
function farFrom(code: string, typed: string): number {
  if (code.startsWith(typed)) return 0;
  const what = code.slice(code.indexOf('/') + 1);
  return Math.min(distance(typed, code), distance(typed, what));
}

/** The `n` codes that a mistyped one may have meant, the likeliest first. */
export function nearestCodes(text: string, n = 3): string[] {
  // Longer than any code there is: the rest only costs time.
  const typed = text.slice(0, 64).toLowerCase();
  return CATALOGUE.map(({ code }) => ({ code, far: farFrom(code, typed) }))
    .sort((a, b) => a.far - b.far)
    .slice(0, n)
    .map(({ code }) => code);
}

/** What to say where no finding has a code: those that are near, if any, and where all are listed. */
export function hintForCode(text: string): string {
  const typed = text.slice(0, 64).toLowerCase();
  const near = nearestCodes(typed).filter((code) => farFrom(code, typed) <= typed.length * 0.4);
  const all = 'noesis explain lists all';
  return near.length > 0 ? `did you mean ${near.join(', ')}? ${all}` : all;
}

/** The codes that a glob names, in the order of the catalogue. */
export function matchCodes(glob: string): string[] {
  return CATALOGUE.map(({ code }) => code).filter((code) => matchesGlob(code, glob));
}
