import { ownText } from '../../base/text/own-text.ts';

/** The longest excerpt in UTF-16 units. It is enough to recognise a prompt or command. */
const LONGEST = 500;

/** Shortens a text to one line. */
export function excerptOf(text: string, longest = LONGEST): string {
  const trimmed = text.trim();
  return trimmed.length <= longest ? trimmed : `${ownText(trimmed.slice(0, longest - 1)).toWellFormed()}…`;
}

/** The first line of a text that is not blank. */
export function firstLine(text: string): string {
  const line = /[^\s][^\n]*/.exec(text)?.[0] ?? '';
  return excerptOf(line.length < text.length ? ownText(line) : line);
}

/** The first line of a text that is not blank, with a sign if the text goes on. */
export function firstLineOfMore(text: string): string {
  const line = firstLine(text);
  return line === text.trim() ? line : withEllipsis(line);
}

/** A text that is only the beginning of a longer one ends in `…`. */
const withEllipsis = (text: string): string => (text.endsWith('…') ? text : `${text} …`);

/** An excerpt of a text, with a sign if the text itself is only the beginning of a longer one. */
export const excerptOfMore = (text: string, isMore = false): string =>
  isMore ? withEllipsis(excerptOf(text)) : excerptOf(text);
