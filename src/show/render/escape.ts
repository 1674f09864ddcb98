import { once } from '../../base/text/once.ts';

// Trace text is written by an attacker. It may contain control characters (terminal escapes) and bidi
// controls (which show text in another order). Any invisible character can hide a difference or a message.
// Harmless are the variation selectors for text and emoji, and joiners where writing needs them.
const harmful = once(
  () =>
    /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u{fff9}-\u{fffb}\u{fffe}\u{ffff}]|(?![\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}/gu,
);
/**
 * A joiner where it has a visible effect: between two emoji, a non-joiner between Arabic letters, and both at a
 * virama between Indic letters. In other places a joiner can hide a difference.
 */
const joined = once(() => {
  const emoji = String.raw`(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=\p{Extended_Pictographic})`;
  const arabicLetter = String.raw`(?=\p{L})\p{Script=Arabic}`;
  // Vowel signs may follow the letter.
  const arabic = String.raw`(?<=${arabicLetter}[\u064b-\u065f\u0670]{0,2})\u200c(?=${arabicLetter})`;
  const indic = String.raw`(?=[\p{L}\p{M}])[\u0900-\u0dff]`;
  const virama = String.raw`[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca]`;
  const joiner = String.raw`[\u200c\u200d]`;
  const atVirama = `(?<=${virama})${joiner}(?=${indic})|(?<=${indic})${joiner}(?=${virama})`;
  return new RegExp(`${emoji}|${arabic}|${atVirama}`, 'uy');
});

function isJoined(text: string, at: number): boolean {
  const pattern = joined();
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** Most texts; a class of Unicode characters takes longer to match. */
const PLAIN = /^[ -~]*$/;

const SHORT: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escapeOf(character: string, at: number, text: string): string {
  const short = SHORT[character];
  if (short !== undefined) return short;
  const code = Number(character.codePointAt(0));
  if ((code === 0x200c || code === 0x200d) && isJoined(text, at)) return character;
  const hex = code.toString(16);
  return code < 0x100 ? `\\x${hex.padStart(2, '0')}` : `\\u{${hex}}`;
}

/**
 * Escapes trace text for a terminal: control, bidi and invisible characters and lone surrogates become
 * visible escapes (`\x1b`, `\n`, `\u{202e}`). Joiners of emoji and of Arabic and Indic letters remain. The result
 * is one line.
 */
export function escapeText(text: string): string {
  return PLAIN.test(text) ? text : text.replace(harmful(), escapeOf);
}

/** Like {@link escapeText}, for a line of code: a tab is shown as two spaces. */
export const escapeCode = (line: string): string => escapeText(line.replaceAll('\t', '  '));
