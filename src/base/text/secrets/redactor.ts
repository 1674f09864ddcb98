import { assignedSecrets } from './assignments.ts';
import { columnSecrets } from './columns.ts';
import { encodedSecrets } from './encoded.ts';
import { patternSpans, SURE_PATTERNS, WEAK_PATTERNS } from './patterns.ts';
import { merged, type Span } from './spans.ts';

/** Long words, which may be keys. */
const WORD = /[A-Za-z0-9+/_=-]{32,}/g;
/** The prefix of a base64 digest, as in lock files and fingerprints. */
const DIGEST = /(?:^|[^a-z\d])(?:sha\d{1,3}[-:]|h1:)[a-z\d+/]{20}/i;
/** Bits per character: prose and paths are below, random base64 is near 6. */
const LEAST_ENTROPY = 4.3;

/** The entropy of a text in bits per character. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** Whether a word looks random. Hashes, UUIDs and words joined by symbols do not. */
function looksRandom(word: string): boolean {
  if (/^[0-9a-f-]+$/i.test(word) || !/\d/.test(word) || !/[A-Z]/.test(word) || !/[a-z]/.test(word))
    return false;
  return entropyOf(word.slice(0, 256)) >= LEAST_ENTROPY;
}

function* randomWords(text: string): Generator<Span> {
  for (const { 0: word, index } of text.matchAll(WORD))
    if (looksRandom(word) && !DIGEST.test(text.slice(Math.max(0, index - 7), index + 60)))
      yield { start: index, end: index + word.length, rule: 'random' };
}

/** A placeholder from an earlier redaction. */
const PLACEHOLDER = /^\[redacted:[a-z0-9-]{1,40}(?::\d{1,9})?\]$/;

/** A terminal colour sequence, raw or with its escape character written out. */
const COLOUR = /(?:\x1b|\\{1,4}(?:u001[bB]|x1[bB]|033|e))\[[\d;?]{0,20}[A-Za-z]/g;

/** White space between words that patterns do not know; one sign each. */
const UNUSUAL_SPACE = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;

function* sureSecrets(text: string): Generator<Span> {
  yield* patternSpans(text, SURE_PATTERNS);
  yield* assignedSecrets(text);
}

/** All secrets, and personal data, in a text that is stored in an encoded form. */
function* everySecret(text: string): Generator<Span> {
  yield* sureSecrets(text);
  yield* patternSpans(text, WEAK_PATTERNS);
}

/** Replaces secrets with placeholders. Equal secrets get equal placeholders. */
export class Redactor {
  readonly #placeholders = new Map<string, string>();
  readonly #counts = new Map<string, { places: number; different: number }>();

  /**
   * Replaces the secrets in a text. `isName`: other records refer to the text, so it is not redacted for
   * looking random.
   */
  redact(text: string, { isName = false } = {}): string {
    // Colours may surround a name and its value, or precede a token.
    const plain = text.replace(COLOUR, (sequence) => ' '.repeat(sequence.length)).replace(UNUSUAL_SPACE, ' ');
    const sure = [...sureSecrets(plain), ...encodedSecrets(plain, everySecret), ...columnSecrets(plain)];
    return this.#covered(text, sure, (start, end) =>
      this.#weak(text.slice(start, end), plain.slice(start, end), isName),
    );
  }

  /** The placeholder for a text that is entirely secret. */
  secret(text: string, rule: string): string {
    return text === '' || PLACEHOLDER.test(text) ? text : this.#placeholder(rule, text);
  }

  /** How often each rule applied, and to how many different secrets. */
  get report(): { rule: string; places: number; different: number }[] {
    return [...this.#counts].map(([rule, counts]) => ({ rule, ...counts }));
  }

  /** The placeholder for a value that the user asked to drop. */
  dropped(): string {
    const counts = this.#counts.get('dropped') ?? { places: 0, different: 0 };
    this.#counts.set('dropped', counts);
    counts.places += 1;
    return '[redacted:dropped]';
  }

  #weak(text: string, plain: string, isName: boolean): string {
    const spans = [...patternSpans(plain, WEAK_PATTERNS), ...(isName ? [] : randomWords(plain))];
    return this.#covered(text, spans, (start, end) => text.slice(start, end));
  }

  /** Replaces spans with placeholders. `between` returns the text between two spans. */
  #covered(text: string, spans: readonly Span[], between: (start: number, end: number) => string): string {
    let result = '';
    let done = 0;
    for (const { start, end, rule } of merged(spans)) {
      result += between(done, start) + this.secret(text.slice(start, end), rule);
      done = end;
    }
    return result + between(done, text.length);
  }

  #placeholder(rule: string, secret: string): string {
    const counts = this.#counts.get(rule) ?? { places: 0, different: 0 };
    this.#counts.set(rule, counts);
    counts.places += 1;
    const key = `${rule} ${secret}`;
    const known = this.#placeholders.get(key);
    if (known !== undefined) return known;
    counts.different += 1;
    const placeholder = `[redacted:${rule}:${counts.different}]`;
    this.#placeholders.set(key, placeholder);
    return placeholder;
  }
}
