import { once } from '../text/once.ts';

// Trace text is written by an attacker. It may contain control characters (terminal escapes) and bidi
// controls (which show text in another order). Any invisible character can hide a difference or a message.
// Only the variation selectors for text and emoji are harmless.
const harmful = once(
  () =>
    /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u{fff9}-\u{fffb}\u{fffe}\u{ffff}]|(?![\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}/gu,
);
/** Most texts; a class of Unicode characters takes longer to match. */
const PLAIN = /^[ -~]*$/;

const SHORT: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escapeOf(character: string): string {
  const short = SHORT[character];
  if (short !== undefined) return short;
  const code = Number(character.codePointAt(0));
  const hex = code.toString(16);
  return code < 0x100 ? `\\x${hex.padStart(2, '0')}` : `\\u{${hex}}`;
}

/**
 * Escapes trace text for a terminal: control, bidi and invisible characters and lone surrogates become
 * visible escapes (`\x1b`, `\n`, `\u{202e}`). The result is one line.
 */
export function escapeText(text: string): string {
  return PLAIN.test(text) ? text : text.replace(harmful(), escapeOf);
}
