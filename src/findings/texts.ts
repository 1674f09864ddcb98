import { wholeCharacters } from '../json/place.ts';

/**
 * In UTF-16 units. A trace may have keys of a megabyte and a finding for each, so texts of findings are cut.
 */
export const MAX_TEXT = 1000;

/** A text for a finding. If it is too long it is cut, and copied so that the original can be freed. */
export function boundedText(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  // A slice would keep the whole text in memory.
  const head = Buffer.from(text.slice(0, MAX_TEXT - 1), 'utf16le').toString('utf16le');
  return `${wholeCharacters(head)}…`;
}
