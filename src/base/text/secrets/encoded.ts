import type { Span } from './spans.ts';

/** A word with percent-encoded bytes, as in a URL. */
const WORD = /[^\s"'`<>]{1,4000}/g;
const BYTE = /%[0-9a-f]{2}/gi;
/** A URL within a URL within a URL. */
const MOST_DEEP = 3;

/** Finds secrets in percent-encoded words, which may be encoded several times. */
export function* encodedSecrets(text: string, find: (plain: string) => Iterable<Span>): Generator<Span> {
  if (text.search(BYTE) < 0) return;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (word.search(BYTE) < 0) continue;
    let plain = word;
    // Where each character begins in the word, and where the last one ends.
    let starts = Array.from({ length: word.length + 1 }, (_, at) => at);
    for (let deep = 0; deep < MOST_DEEP && plain.search(BYTE) >= 0; deep += 1) {
      const kept: number[] = [];
      let at = 0;
      // Single bytes, because secrets and the signs around them are ASCII.
      plain = plain.replace(/%([0-9a-f]{2})|[\s\S]/gi, (sign, digits: string | undefined) => {
        kept.push(starts[at] ?? 0);
        at += sign.length;
        return digits === undefined ? sign : String.fromCharCode(Number.parseInt(digits, 16));
      });
      starts = [...kept, word.length];
    }
    for (const { start, end, rule } of find(plain))
      yield { start: index + (starts[start] ?? 0), end: index + (starts[end] ?? 0), rule };
  }
}
