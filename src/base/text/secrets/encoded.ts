import type { Span } from './spans.ts';

/** A word with encoded bytes, as in a URL, in source code or in a mail. */
const WORD = /[^\s"'`<>]{1,4000}/g;
/** One byte: `%3d` of URLs, `\\u003d` and `\\x3d` of source code, `=3D` of mails. */
const BYTE = /(?:%|\\{1,4}(?:u00|x))([0-9a-f]{2})|=([0-9A-F]{2})/i;
const SIGN = new RegExp(`${BYTE.source}|[\\s\\S]`, 'gi');
/** A URL within a URL within a URL. */
const MOST_DEEP = 3;

/** Finds secrets in encoded words, which may be encoded several times. */
export function* encodedSecrets(text: string, find: (plain: string) => Iterable<Span>): Generator<Span> {
  if (!BYTE.test(text)) return;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!BYTE.test(word)) continue;
    let plain = word;
    // Where each character begins in the word, and where the last one ends.
    let starts = Array.from({ length: word.length + 1 }, (_, at) => at);
    for (let deep = 0; deep < MOST_DEEP && BYTE.test(plain); deep += 1) {
      const kept: number[] = [];
      let at = 0;
      // Single bytes, because secrets and the signs around them are ASCII.
      plain = plain.replace(SIGN, (sign, first: string | undefined, second: string | undefined) => {
        kept.push(starts[at] ?? 0);
        at += sign.length;
        const digits = first ?? second;
        return digits === undefined ? sign : String.fromCharCode(Number.parseInt(digits, 16));
      });
      starts = [...kept, word.length];
    }
    for (const { start, end, rule } of find(plain))
      yield { start: index + (starts[start] ?? 0), end: index + (starts[end] ?? 0), rule };
  }
}
