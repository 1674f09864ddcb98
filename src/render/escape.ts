// Trace text is an attacker's text. Beyond control characters (terminal escapes) and bidi controls (text that reads
// in another order than it is stored), whatever is invisible can hide a difference or carry a message of its own.
// Only the selectors of text and emoji style stay.
const HARMFUL =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u{fff9}-\u{fffb}\u{fffe}\u{ffff}]|(?![\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}/gu;

const SHORT: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escapeOf(character: string): string {
  const short = SHORT[character];
  if (short !== undefined) return short;
  const code = Number(character.codePointAt(0));
  const hex = code.toString(16);
  return code < 0x100 ? `\\x${hex.padStart(2, '0')}` : `\\u{${hex}}`;
}

/**
 * Trace text as a terminal can safely show it: control, bidi and invisible characters and lone surrogates as visible
 * escapes (`\x1b`, `\n`, `\u{202e}`), all else as it is. The result is one line.
 */
export function escapeText(text: string): string {
  return text.replace(HARMFUL, escapeOf);
}
