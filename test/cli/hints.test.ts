import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../support/pages.ts';

// A hint is read alone, below its error: it begins with what to do, as a verb. A reason comes after it.

const VERBS = new Set(
  `add append ask attest call change check choose compare copy correct end export find give install look make move name open
  pack pipe put raise read remove rename report restore run salvage see separate set sign start store try unpack use
  wait write`.split(/\s+/),
);

const sources = ['src', 'commands'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join(folder, path)),
);

/** The literal hints of a file: `hint: '…'`, also as one of two, and constants whose names end with HINT. */
function hintsIn(text: string): string[] {
  const found = text.matchAll(
    /(?:\bhint|\b[A-Z_]*HINT)\b(?::| =)\s+(?:[\w.]+(?: [!=]== [\w.']+)?\s*\?\s*)?(['`])((?:\\.|(?!\1)[\s\S])*)\1/g,
  );
  return [...found].map(([, , hint = '']) => hint);
}

test('every hint begins with a verb', () => {
  const hints = sources.flatMap((path) =>
    hintsIn(readFileSync(join(ROOT, path), 'utf8')).map((hint) => [path, hint] as const),
  );
  expect(hints.length).toBeGreaterThan(150);
  const wrong = hints.filter(
    ([, hint]) =>
      !hint.startsWith('did you mean') &&
      // The hint of another error, or a command that is made from parts.
      hint !== '' &&
      !hint.startsWith('${') &&
      !hint.startsWith('noesis state ') &&
      !hint.startsWith('noesis list ') &&
      !VERBS.has(/^[a-z]+/.exec(hint)?.[0] ?? ''),
  );
  expect(wrong).toEqual([]);
});
