import { EXCERPT_BEFORE, EXCERPT_LENGTH, wholeCharacters } from '../../src/base/json/place.ts';

/** The excerpt of a line around a column (from 1), as a finding has it. */
export function excerptAt(line: string, column: number): string {
  const place = Math.min(Math.max(0, column - 1), line.length);
  const from = Math.max(0, place - EXCERPT_BEFORE);
  return wholeCharacters(line.slice(from, from + EXCERPT_LENGTH));
}
