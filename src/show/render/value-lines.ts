import { isObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { textOf } from '../../base/json/write.ts';
import { escapeText } from './escape.ts';
import type { Style } from './style.ts';
import { displayWidth } from './width.ts';
import { clip, cutValue, wrap } from './wrap.ts';

/** In UTF-16 units. Longer texts are cut; `-j` prints them whole. */
const LONGEST_TEXT = 4000;
/** Values nested deeper than this are printed as JSON on one line. */
const DEEPEST = 6;

const isEmpty = (value: JsonValue): boolean =>
  Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;

const isInline = (value: JsonValue, depth: number): boolean =>
  (!Array.isArray(value) && !isObject(value)) || isEmpty(value) || depth >= DEEPEST;

function entriesOf(value: JsonValue): [string, JsonValue][] {
  if (Array.isArray(value)) return value.map((item, index) => [`${index}`, item]);
  return Object.entries(value as JsonObject);
}

/** A value for people: one member per line, nested values indented, long texts wrapped. */
export function valueLines(value: JsonValue, style: Style, width: number, depth = 0): string[] {
  const indent = '  '.repeat(depth + 1);
  return entriesOf(value).flatMap(([name, member]) => {
    const key = Array.isArray(value) ? '-' : `${escapeText(clip(name, 200))}:`;
    const head = indent + style.bold(key);
    if (!isInline(member, depth)) return [head, ...valueLines(member, style, width, depth + 1)];
    const text = textOf(member);
    const column = indent.length + displayWidth(key) + 1;
    const [first = '', ...rest] = cutValue(text, LONGEST_TEXT)
      .split('\n')
      .flatMap((line) => wrap(escapeText(line), width - column));
    return [`${head} ${first}`.trimEnd(), ...rest.map((line) => ' '.repeat(column) + line)];
  });
}
