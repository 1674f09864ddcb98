import { distance } from './distance.ts';

/** No name is longer, so the rest of a longer text is ignored. */
const LONGEST = 64;

/** The names that a mistyped one may have meant, most likely first. */
export function nearest(names: readonly string[], typed: string, n = 3): string[] {
  const wanted = typed.slice(0, LONGEST).toLowerCase();
  const farthest = Math.max(1, Math.floor(wanted.length * 0.4));
  return names
    .map((name) => ({ name, far: distance(name.slice(0, LONGEST).toLowerCase(), wanted) }))
    .filter(({ far }) => far <= farthest)
    .sort((a, b) => a.far - b.far)
    .slice(0, n)
    .map(({ name }) => name);
}
