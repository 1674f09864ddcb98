import { StoredNumber } from './stored-number.ts';

/** Values between brackets, one below the other where there is an indent. */
function enclosed(
  open: string,
  close: string,
  parts: readonly string[],
  indent: string,
  margin: string,
): string {
  if (parts.length === 0) return open + close;
  if (indent === '') return open + parts.join(',') + close;
  const inner = `\n${margin}${indent}`;
  return `${open}${inner}${parts.join(`,${inner}`)}\n${margin}${close}`;
}

/** The text that the engine gives a value; undefined where it would print a StoredNumber as a double. */
function byEngine(value: unknown, indent: string): string | undefined {
  const before = StoredNumber.printedAsDouble;
  const text = JSON.stringify(value, null, indent) ?? 'null';
  return StoredNumber.printedAsDouble === before ? text : undefined;
}

/**
 * So many levels are given to the engine first: its own way is several times as fast, and most values hold no such
 * number. Each level is written once more where one is deep below, so that of all levels it would take too long.
 */
const TRIED_LEVELS = 6;

function written(value: unknown, indent: string, margin: string, level = 0): string {
  if (value instanceof StoredNumber) return String(value);
  const text = level < TRIED_LEVELS ? byEngine(value, indent) : undefined;
  // In JSON a line ends between values alone.
  if (text !== undefined) return margin === '' ? text : text.replaceAll('\n', `\n${margin}`);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const within = margin + indent;
  if (Array.isArray(value)) {
    const items = value.map((item) => written(item, indent, within, level + 1));
    return enclosed('[', ']', items, indent, margin);
  }
  const colon = indent === '' ? ':' : ': ';
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([key, member]) => JSON.stringify(key) + colon + written(member, indent, within, level + 1));
  return enclosed('{', '}', members, indent, margin);
}

/** As JSON.stringify, with each StoredNumber as it is stored; `indent` columns deeper at each level, of which `depth` are around it. */
export const writeJson = (value: unknown, indent = 0, depth = 0): string =>
  written(value, ' '.repeat(indent), ' '.repeat(indent * depth));

/**
 * A value of a trace as text: a string as it is, of anything else its JSON. `String()` throws at what a trace may hold:
 * an object with a member `toString` has no text of its own.
 */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : writeJson(value));
