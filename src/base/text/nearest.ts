import { distance } from './distance.ts';

/** No name is longer, so the rest of a longer text is ignored. */
const LONGEST = 64;

/** A shorter beginning is that of too many names. */
const SHORTEST_BEGINNING = 3;

/** A shorter word is in too many names. */
const SHORTEST_WORD = 4;

/** Whether a typed word is the beginning of a name, as `time` of `timeline`, or has more words than the name. */
export const isBegun = (name: string, wanted: string): boolean =>
  (wanted.length >= SHORTEST_BEGINNING && name.startsWith(wanted)) || wanted.startsWith(`${name}-`);

/** The words of a name of several words, such as `claude` and `code`. */
const wordsOf = (name: string): string[] => {
  const words = name.split(/[-/_.]/);
  return words.length > 1 ? words.filter((word) => word.length >= SHORTEST_WORD) : [];
};

/** How many typing errors a word may have, as a share of its length. A single word of a name is less to go by. */
const FARTHEST = { name: 0.4, word: 0.25 };

/** The names that are near enough to a typed one, nearest first. */
function near(
  names: readonly string[],
  wanted: string,
  share: number,
  farFrom: (known: string) => number,
): string[] {
  const farthest = Math.max(1, Math.floor(wanted.length * share));
  return names
    .map((name) => ({ name, far: farFrom(name.slice(0, LONGEST).toLowerCase()) }))
    .filter(({ far }) => far <= farthest)
    .sort((a, b) => a.far - b.far)
    .map(({ name }) => name);
}

/** The names that a mistyped or incomplete one may have meant, most likely first; else those of which it is like one word. */
export function nearest(names: readonly string[], typed: string, n = 3): string[] {
  const wanted = typed.slice(0, LONGEST).toLowerCase();
  const whole = near(names, wanted, FARTHEST.name, (known) =>
    isBegun(known, wanted) ? 1 : distance(known, wanted),
  );
  if (whole.length > 0 || wanted.length < SHORTEST_WORD) return whole.slice(0, n);
  return near(names, wanted, FARTHEST.word, (known) =>
    Math.min(...wordsOf(known).map((word) => distance(word, wanted))),
  ).slice(0, n);
}

/** The question whether similar names were meant; undefined without such names. */
export const didYouMean = (near: readonly string[]): string | undefined =>
  near.length > 0 ? `did you mean ${near.join(', ')}?` : undefined;
