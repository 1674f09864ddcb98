import type { JsonValue } from '../../base/json/value.ts';
import { isObject } from '../../base/json/value.ts';
import { literal } from '../../base/text/literal.ts';

/**
 * The path of a folder for temporary files, which gets a new name in each run. A file directly in `/tmp` has a name
 * that somebody chose.
 */
const TEMPORARY =
  /(?:(?:\/private)?\/(?:tmp|var\/tmp|var\/folders\/[^/\s"']{1,80}\/[^/\s"']{1,80}\/T)|[A-Za-z]:[\\/]Users[\\/][^\\/\s"']{1,80}[\\/]AppData[\\/]Local[\\/]Temp)[\\/][^\\/\s"']{1,200}(?=[\\/])/g;

const MARK = '\u0000';

/** A character that a word or an id may have. */
const IN_WORD = '[A-Za-z0-9_-]';

/** Removes from texts what differs between any two runs: the ids of the run, and the names of temporary folders. */
export class Incidental {
  readonly #ids: RegExp | undefined;

  constructor(ids: readonly string[]) {
    const longest = [...new Set(ids)].filter((id) => id !== '').sort((a, b) => b.length - a.length);
    const words = longest.map(literal).join('|');
    if (words !== '') this.#ids = new RegExp(`(?<!${IN_WORD})(?:${words})(?!${IN_WORD})`, 'g');
  }

  text(text: string): string {
    const plain = text.replace(TEMPORARY, MARK);
    return this.#ids === undefined ? plain : plain.replace(this.#ids, MARK);
  }

  value(value: JsonValue): JsonValue {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.value(item));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.value(item)]));
  }
}
