import { CATALOGUE } from './index.ts';

/** How many single-character insertions, deletions and replacements turn `a` into `b`. */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}

/** The codes that a mistyped one may have meant, the likeliest first. */
export function nearestCodes(text: string, n = 3): string[] {
  const typed = text.slice(0, 64).toLowerCase();
  const far = (code: string): number => {
    const [family, what = ''] = code.split('/');
    if (typed === family || code.startsWith(typed)) return 0;
    return Math.min(distance(typed, code), distance(typed, what));
  };
  return CATALOGUE.map(({ code }, index) => ({ code, index, far: far(code) }))
    .sort((a, b) => a.far - b.far || a.index - b.index)
    .slice(0, n)
    .map(({ code }) => code);
}

/** The codes that a glob names; `*` stands for any characters, the slash included. */
export function matchCodes(glob: string): string[] {
  const literal = glob.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const pattern = new RegExp(`^${literal.join('.*')}$`, 's');
  return CATALOGUE.map(({ code }) => code).filter((code) => pattern.test(code));
}
