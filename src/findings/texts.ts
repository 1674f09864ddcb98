import { wholeCharacters } from '../json/place.ts';

/** A trace may hold a key of a megabyte, and a finding for each of them: no text of a finding is longer, in UTF-16 units. */
export const MAX_TEXT = 1000;

/** A text as a finding holds it: cut where it is too long, and then no window onto the long one. */
export function boundedText(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  // A slice would keep the whole text alive.
  const head = Buffer.from(text.slice(0, MAX_TEXT - 1), 'utf16le').toString('utf16le');
  return `${wholeCharacters(head)}…`;
}
