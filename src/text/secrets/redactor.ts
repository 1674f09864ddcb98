import { assignedSecrets } from './assignments.ts';
import { patternSpans, SURE_PATTERNS, WEAK_PATTERNS } from './patterns.ts';
import { merged, type Span } from './spans.ts';

/** Words that may be keys: long, and of more than one kind of character. */
const WORD = /[A-Za-z0-9+/_=-]{32,}/g;
/** The beginning of a digest in base64, as of lock files and fingerprints. */
const DIGEST = /(?:^|[^a-z\d])(?:sha\d{1,3}[-:]|h1:)[a-z\d+/]{20}/i;
/** In bits a character: prose and paths are below, random base64 is near 6. */
const LEAST_ENTROPY = 4.3;

/** How much a character of a text tells, in bits. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** Whether a word looks random: no hash or UUID, which name things, and no words joined by signs. */
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

/** A placeholder that a redaction left. */
const PLACEHOLDER = /^\[redacted:[a-z0-9-]{1,40}(?::\d{1,9})?\]$/;

/** A sequence that sets the colour of a terminal, as it is and with its escape written out. */
const COLOUR = /(?:\x1b|\\{1,4}(?:u001[bB]|x1[bB]|033|e))\[[\d;?]{0,20}[A-Za-z]/g;

/** Replaces secrets by placeholders: one secret has the same one everywhere. */
export class Redactor {
  readonly #placeholders = new Map<string, string>();
  readonly #counts = new Map<string, { places: number; different: number }>();

  /** A text with its secrets replaced. `isName`: other records refer to it, so that looking random is no reason. */
  redact(text: string, { isName = false } = {}): string {
    // Colours may be around a name and its value, and in front of a token.
    const plain = text.replace(COLOUR, (sequence) => ' '.repeat(sequence.length));
    const sure = [...patternSpans(plain, SURE_PATTERNS), ...assignedSecrets(plain)];
    return this.#covered(text, sure, (start, end) =>
      this.#weak(text.slice(start, end), plain.slice(start, end), isName),
    );
  }

  /** The placeholder of a text that is a secret as a whole. */
  secret(text: string, rule: string): string {
    return text === '' || PLACEHOLDER.test(text) ? text : this.#placeholder(rule, text);
  }

  /** How often each rule applied, and to how many different secrets. */
  get report(): { rule: string; places: number; different: number }[] {
    return [...this.#counts].map(([rule, counts]) => ({ rule, ...counts }));
  }

  /** What was asked to be left out. */
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

  /** A text with placeholders for its spans; `between` returns the text between two of them. */
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
