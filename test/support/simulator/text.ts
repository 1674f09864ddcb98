import type { Random } from './random.ts';

const plain = (
  'collect relevant context execute goal verify outcome capture learnings release notes draft staging deploy ' +
  'policy risk tool adapter rollout review metrics the'
).split(' ');

/** Two-, three- and four-byte characters, and U+2028, which JSON and Python leave unescaped and line readers split at. */
const beyondAscii = ['café', 'naïve', '→', '日本', '🚀', '𝔘nit', 'a\u2028b', '\u{e000}'];

/** Words for tasks, steps and messages. */
export interface Text {
  /** A number of random words. */
  words(count: number): string;
  /** Several lines, with what a prompt's fingerprint must not depend on: CRLF, trailing and outer blanks. */
  prompt(): string;
}

/** A source of text; ASCII only unless `unicode`. */
export function createText(random: Random, unicode: boolean): Text {
  const join = (count: number, vocabulary: readonly string[]) =>
    Array.from({ length: count }, () => random.pick(vocabulary)).join(' ');
  const vocabulary = unicode ? [...plain, ...beyondAscii] : plain;
  // U+2028 stays out of prompts: the contract does not say whether it ends a line when each line is stripped.
  const promptVocabulary = vocabulary.filter((word) => !word.includes('\u2028'));
  return {
    words: (count) => join(count, vocabulary),
    prompt: () =>
      `\n  ${join(6, promptVocabulary)}  \r\n${join(5, promptVocabulary)}\t\n\n${join(4, promptVocabulary)} \n`,
  };
}
