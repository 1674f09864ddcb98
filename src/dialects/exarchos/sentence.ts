import { isNumber } from '../../base/json/stored-number.ts';
import { isObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';

/** A part in brackets, or the text between such parts. */
const PART = /\[([^\]]*)\]|([^[]+)/g;
/** `{a}`, `{a.b}`, `{a|b}`, `{#list}` or `{flag?yes:no}`. */
const FIELD = /\{(#?)([\w.|]+)(?:\?([^:}]*):([^}]*))?\}/g;

function valueIn(data: JsonObject, path: string): JsonValue | undefined {
  return path
    .split('.')
    .reduce<JsonValue | undefined>(
      (at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined),
      data,
    );
}

/** A value as a word; undefined if it has none. */
function wordOf(value: JsonValue | undefined): string | undefined {
  if (isNumber(value)) return String(value);
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (!Array.isArray(value)) return undefined;
  const words = value.flatMap((item) => wordOf(item) ?? []);
  return words.length === 0 ? undefined : words.join(', ');
}

/**
 * Fills in a sentence with members of an object: `{a}` is a member, `{a.b}` a nested one, `{a|b}` the first that exists,
 * `{#a}` the length of a list, `{a?yes:no}` a word for a boolean. A part in brackets, or between brackets, is left out
 * if one of its members is missing. Empty if nothing was filled in.
 */
export function fillIn(sentence: string, data: JsonObject): string {
  let isFilled = false;
  const fill = (part: string): string => {
    let isComplete = true;
    const text = part.replace(FIELD, (_, count: string, names: string, yes?: string, no?: string) => {
      const value = names
        .split('|')
        .map((name) => valueIn(data, name))
        .find((found) => found !== undefined);
      const flag = typeof value === 'boolean' ? (value ? yes : no) : undefined;
      const length = count !== '' && Array.isArray(value) ? String(value.length) : undefined;
      const word = flag ?? length ?? (yes === undefined && count === '' ? wordOf(value) : undefined);
      if (word === undefined) isComplete = false;
      else isFilled = true;
      return word ?? '';
    });
    return isComplete ? text : '';
  };
  const text = sentence.replace(PART, (_, optional?: string, plain?: string) =>
    fill(optional ?? plain ?? ''),
  );
  return isFilled ? text.replace(/^[\s,:]+/, '').trimEnd() : '';
}
