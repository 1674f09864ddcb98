import { createContext, Script } from 'node:vm';
import { UsageError } from '../../base/errors.ts';
import { COLON, COMMA, OPEN_BRACE, QUOTE } from '../../base/json/ascii.ts';
import { literal } from '../../base/text/literal.ts';
import { expressionOf, nothingWanted } from './expression.ts';
import { MOST_PLACES, storedForms } from './text-search.ts';

/** Where a text was found: offsets, the end exclusive. */
export type TextRange = readonly [from: number, to: number];

/** Finds a text or regex in what records say. */
export interface Finder {
  /** Whether stored bytes may contain a match. If not, nothing parsed from them does. */
  mayBeIn(bytes: Buffer): boolean;
  /** The matches in each text. Throws `usage` if a regex takes too long. */
  placesIn(texts: readonly string[]): readonly (readonly TextRange[])[];
  /** How many of these lists of texts have a match. Throws as `placesIn` does. */
  countIn(lists: readonly (readonly string[])[]): number;
  /** Whether it may be meant as a part of an id or a time: a short text is in many of them by chance. */
  readonly mayBeInIds: boolean;
  /** By how many bytes consecutive blocks must overlap, so no match is missed between them. */
  readonly overlap: number;
}

interface FindOptions {
  readonly ignoreCase?: boolean | undefined;
  /** The text is a regex. */
  readonly regexp?: boolean | undefined;
}

/** In characters: other commands show ids by this many, so a user may search for them. */
const SHORTEST_ID = 8;

/** In milliseconds per batch of texts, because some regexes take exponential time. */
const LONGEST_SEARCH = 2000;

const isAscii = (text: string): boolean => /^[ -~]*$/.test(text);

/**
 * The longest run of letters and digits that every match must contain. JSON stores these characters
 * unescaped.
 */
function requiredWord(source: string): string {
  if (/[|()[\]]|\\[^dDwWsSbBntrfv\W_]/.test(source)) return '';
  const words = source
    .replace(/\\./g, '\n')
    .replace(/.(?:[?*]|\{[^}]*\}?)/g, '\n')
    .match(/[A-Za-z0-9 _-]{2,}/g);
  return words?.reduce((longest, word) => (word.length > longest.length ? word : longest)) ?? '';
}

const isWordByte = (byte: number | undefined): boolean =>
  byte !== undefined &&
  ((byte >= 0x61 && byte <= 0x7a) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x5f);

/**
 * Whether letters, digits and underscores at `[from, to)` are in the key of a member, such as `is_error`. Keys are not
 * searched. False if the bytes around them do not prove it: a quote in a string has a backslash.
 */
function isInKey(bytes: Buffer, from: number, to: number): boolean {
  let open = from - 1;
  while (isWordByte(bytes[open])) open -= 1;
  const before = bytes[open - 1];
  if (bytes[open] !== QUOTE || (before !== OPEN_BRACE && before !== COMMA)) return false;
  let close = to;
  while (isWordByte(bytes[close])) close += 1;
  return bytes[close] === QUOTE && bytes[close + 1] === COLON;
}

/** Whether bytes have a form of a text, except in keys. */
function hasForm(bytes: Buffer, form: Buffer, isWord: boolean): boolean {
  let at = bytes.indexOf(form);
  while (isWord && at >= 0 && isInKey(bytes, at, at + form.length)) at = bytes.indexOf(form, at + 1);
  return at >= 0;
}

/** Tests blocks of bytes for a text without parsing them. */
function byteTest(text: string, ignoreCase: boolean): Pick<Finder, 'mayBeIn' | 'overlap'> {
  if (text === '' || (ignoreCase && !isAscii(text))) return { mayBeIn: () => true, overlap: 0 };
  const forms = storedForms(text);
  const overlap = Math.max(...forms.map((form) => form.length));
  // A form that contains another is found with it.
  const least = forms.filter((one) => !forms.some((other) => other !== one && one.includes(other)));
  const isWord = /^\w+$/.test(text);
  if (!ignoreCase) return { mayBeIn: (bytes) => least.some((form) => hasForm(bytes, form, isWord)), overlap };
  const any = new RegExp(forms.map((form) => literal(form.toString())).join('|'), 'i');
  return { mayBeIn: (bytes) => any.test(bytes.toString('latin1')), overlap };
}

/** Runs in a separate context, because only then can it be interrupted. */
const SEARCH = new Script(`
  texts.map((text) => {
    const places = [];
    for (const { 0: found, index } of text.matchAll(expression)) {
      if (found !== '') places.push([index, index + found.length]);
      if (places.length >= most) break;
    }
    return places;
  })`);

/** How many lists of texts have a place. */
function countOf(lists: readonly (readonly string[])[], placesIn: Finder['placesIn']): number {
  const places = placesIn(lists.flat());
  let at = 0;
  let count = 0;
  for (const { length } of lists) {
    if (places.slice(at, at + length).some((one) => one.length > 0)) count += 1;
    at += length;
  }
  return count;
}

/** The places of a text, which cannot take long, so it needs no context. */
function placesOfText(text: string, expression: RegExp): TextRange[] {
  const places: TextRange[] = [];
  for (const { 0: found, index } of text.matchAll(expression)) {
    places.push([index, index + found.length]);
    if (places.length >= MOST_PLACES) break;
  }
  return places;
}

/** Makes a finder. Throws `usage` for an empty text or an invalid regex. */
export function finderOf(wanted: string, { ignoreCase = false, regexp = false }: FindOptions = {}): Finder {
  if (wanted === '') throw nothingWanted();
  const isUnicode = regexp && /\\[pPu]\{/.test(wanted);
  const flags = `g${ignoreCase ? 'i' : ''}${isUnicode ? 'u' : ''}`;
  const source = regexp ? wanted : literal(wanted);
  const expression = expressionOf(source, flags, 'remove -e to search for the text itself');
  if (!regexp) {
    const test = new RegExp(expression.source, ignoreCase ? 'i' : '');
    const has = ignoreCase ? (text: string) => test.test(text) : (text: string) => text.includes(wanted);
    return {
      ...byteTest(wanted, ignoreCase),
      mayBeInIds: wanted.length >= SHORTEST_ID,
      placesIn: (texts) => texts.map((text) => placesOfText(text, expression)),
      countIn: (lists) => lists.filter((texts) => texts.some(has)).length,
    };
  }
  const context = createContext({ expression, texts: [], most: MOST_PLACES });
  const placesIn: Finder['placesIn'] = (texts) => {
    context['texts'] = texts;
    try {
      return SEARCH.runInContext(context, { timeout: LONGEST_SEARCH });
    } catch (error) {
      throw new UsageError('usage', `the search for ${wanted} takes too long`, {
        hint: 'write a simpler expression: some take exponential time, such as (a+)+',
        cause: error,
      });
    }
  };
  return {
    ...byteTest(requiredWord(wanted), ignoreCase),
    mayBeInIds: true,
    placesIn,
    countIn: (lists) => countOf(lists, placesIn),
  };
}
