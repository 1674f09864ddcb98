import { StoredNumber } from './stored-number.ts';

/** Joins values between brackets, one per line if there is an indent. */
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

/** The output of JSON.stringify; undefined if it would print a StoredNumber as a double. */
function byEngine(value: unknown, indent: string): string | undefined {
  const before = StoredNumber.printedAsDouble;
  const text = JSON.stringify(value, null, indent) ?? 'null';
  return StoredNumber.printedAsDouble === before ? text : undefined;
}

/**
 * On this many levels JSON.stringify is tried first: it is several times as fast, and StoredNumbers are rare.
 * A failed try is repeated on the next level, so trying on all levels could take too long.
 */
const TRIED_LEVELS = 6;

function written(value: unknown, indent: string, margin: string, level = 0): string {
  if (value instanceof StoredNumber) return String(value);
  const text = level < TRIED_LEVELS ? byEngine(value, indent) : undefined;
  // Newlines only occur between values, so adding a margin is safe.
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

/** Like JSON.stringify, but prints each StoredNumber as stored. Starts with an indent of `depth` levels. */
export const writeJson = (value: unknown, indent = 0, depth = 0): string =>
  written(value, ' '.repeat(indent), ' '.repeat(indent * depth));

/**
 * A trace value as text: a string unchanged, anything else as JSON. `String()` is unsafe here: it throws for
 * an object with a member `toString`.
 */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : writeJson(value));

/** A word that cannot be mistaken for a part of a message. */
const WORD = /^[^\s\p{C}`"\\]+$/u;

/**
 * A trace value in a message: one word unchanged, anything else as JSON, so that it cannot be
 * mistaken for words of the message.
 */
export const named = (value: unknown): string =>
  typeof value === 'string' && WORD.test(value) ? value : writeJson(value);

/** A text of a trace in backticks; as JSON if it contains one, because it could end the quotation. */
export const ticked = (text: string): string => (text.includes('`') ? JSON.stringify(text) : `\`${text}\``);
