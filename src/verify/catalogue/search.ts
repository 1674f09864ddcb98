import { CATALOGUE } from './entries.ts';

/** How many insertions, deletions and replacements of one character turn `a` into `b`. */
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

/** Whether `text` has the form of a glob, where `*` stands for any characters, the slash included. */
function matches(text: string, glob: string): boolean {
  const [head = '', ...rest] = glob.split('*');
  const tail = rest.pop();
  if (tail === undefined) return text === glob;
  if (!text.startsWith(head)) return false;
  let at = head.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.length - tail.length >= at && text.endsWith(tail);
}

/** The codes that a glob names, in the order of the catalogue. */
export function matchCodes(glob: string): string[] {
  return CATALOGUE.map(({ code }) => code).filter((code) => matches(code, glob));
}
