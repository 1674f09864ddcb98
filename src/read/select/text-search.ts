import type { LogRecord } from '../../log/record.ts';
import { betweenSlashes, expressionOf, nothingWanted } from './expression.ts';

/** A text to find in stored records. */
export interface TextSearch {
  /** As the user wrote it. */
  readonly wanted: string;
  isIn(record: LogRecord): boolean;
  /** The matches in a text, as offsets; the ends are exclusive. */
  placesIn(text: string): readonly (readonly [from: number, to: number])[];
}

/** The maximum number of marked matches in one text. */
export const MOST_PLACES = 1000;

/** A text in JSON: non-ASCII characters as they are, or escaped, as Python does. */
function quotedForms(text: string): string[] {
  const quoted = JSON.stringify(text).slice(1, -1);
  const escaped = quoted.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return [quoted, escaped];
}

/** A text as it is, in JSON, and in JSON inside a JSON text, such as the arguments of a call. */
export function storedForms(text: string): Buffer[] {
  const quoted = quotedForms(text);
  return [...new Set([text, ...quoted, ...quoted.flatMap(quotedForms)])].map((form) => Buffer.from(form));
}

function searchForText(wanted: string): TextSearch {
  const forms = storedForms(wanted);
  return {
    wanted,
    isIn: (record) => {
      const bytes = record.printedBytes;
      return forms.some((form) => bytes.includes(form));
    },
    placesIn: (text) => {
      const places: [number, number][] = [];
      for (let at = text.indexOf(wanted); at >= 0 && places.length < MOST_PLACES; ) {
        places.push([at, at + wanted.length]);
        at = text.indexOf(wanted, at + wanted.length);
      }
      return places;
    },
  };
}

const AS_TEXT =
  'remove a slash to search for the text itself; a text between slashes is a regular expression';

function searchForExpression(wanted: string, source: string, flags: string): TextSearch {
  const has = expressionOf(source, flags.replaceAll(/[gy]/g, ''), AS_TEXT);
  const expression = new RegExp(source, `${has.flags}g`);
  return {
    wanted,
    isIn: (record) => has.test(record.text),
    placesIn: (text) => {
      const places: [number, number][] = [];
      for (const { 0: found, index } of text.matchAll(expression)) {
        if (found !== '') places.push([index, index + found.length]);
        if (places.length >= MOST_PLACES) break;
      }
      return places;
    },
  };
}

/** Parses the argument of `--grep`. Throws `usage` for an empty text and for an invalid regex. */
export function compileSearch(wanted: string): TextSearch {
  if (wanted === '') throw nothingWanted();
  const expression = betweenSlashes(wanted);
  return expression === undefined
    ? searchForText(wanted)
    : searchForExpression(wanted, expression.source, expression.flags);
}

/** The number of characters shown before and after a match. */
const AROUND = 40;

/** The stored text around the first match, with `…` at cut ends. */
export function excerptOf(search: TextSearch, text: string): string | undefined {
  const [first] = search.placesIn(text);
  if (first === undefined) return undefined;
  const from = Math.max(0, first[0] - AROUND);
  const to = Math.min(text.length, first[1] + AROUND);
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`;
}
