import { distance } from './distance.ts';

/** No name is longer, so the rest of a longer text is ignored. */
const LONGEST = 64;

/** A shorter beginning is that of too many names. */
const SHORTEST_BEGINNING = 3;

/** Whether one of two names is the beginning of the other, as `claude` of `claude-code`. */
const isBegun = (name: string, wanted: string): boolean =>
  (wanted.length >= SHORTEST_BEGINNING && name.startsWith(`${wanted}-`)) || wanted.startsWith(`${name}-`);

/** The names that a mistyped or incomplete one may have meant, most likely first. */
export function nearest(names: readonly string[], typed: string, n = 3): string[] {
  const wanted = typed.slice(0, LONGEST).toLowerCase();
  const farthest = Math.max(1, Math.floor(wanted.length * 0.4));
  return names
    .map((name) => {
      const known = name.slice(0, LONGEST).toLowerCase();
      return { name, far: isBegun(known, wanted) ? 1 : distance(known, wanted) };
    })
    .filter(({ far }) => far <= farthest)
    .sort((a, b) => a.far - b.far)
    .slice(0, n)
    .map(({ name }) => name);
}
