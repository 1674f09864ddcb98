/** A number that is a float in Python: 1 prints as `1.0`. Fractions need no mark. */
export class Float {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

/** Marks a number as a float. */
export const float = (value: number): Float => new Float(value);

export type Json = null | boolean | number | string | Float | Json[] | JsonObject;
/** A key whose value is undefined is left out, so that optional fields need no branches. */
export interface JsonObject {
  [key: string]: Json | undefined;
}

/** How Python's `json.dumps` was called. */
export interface Layout {
  readonly item: string;
  readonly colon: string;
  readonly sorted: boolean;
  readonly indent: number;
}

/** Events, state, summary, final, checkpoint and prompts. */
export const compact: Layout = { item: ',', colon: ':', sorted: true, indent: 0 };
/** The manifest and the bytes that are signed. */
export const spaced: Layout = { item: ', ', colon: ': ', sorted: true, indent: 0 };
/** learn.jsonl, and the event lines of older runtimes. */
export const unsorted: Layout = { item: ', ', colon: ': ', sorted: false, indent: 0 };
/** The JSON files of older runtimes. */
export const indented: Layout = { item: ',', colon: ': ', sorted: false, indent: 2 };

/** Orders strings by code point, as Python does; JavaScript's own order puts astral characters before U+E000. */
export function compareCodePoints(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a === b) continue;
    const aIsSurrogate = a >= 0xd800 && a <= 0xdfff;
    const bIsSurrogate = b >= 0xd800 && b <= 0xdfff;
    return aIsSurrogate === bIsSurrogate ? a - b : aIsSurrogate ? 1 : -1;
  }
  return left.length - right.length;
}

/** Python's repr of a float: shortest digits as in JavaScript, but other rules for the exponent. */
function floatText(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError('JSON has no such number');
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e16)) {
    const [mantissa = '', exponent = ''] = value.toExponential().split('e');
    return `${mantissa}e${exponent.charAt(0)}${exponent.slice(1).padStart(2, '0')}`;
  }
  return Number.isInteger(value) ? `${value}.0` : String(value);
}

function wrap(open: string, close: string, parts: string[], layout: Layout, depth: number): string {
  if (parts.length === 0) return open + close;
  if (layout.indent === 0) return open + parts.join(layout.item) + close;
  const outer = `\n${' '.repeat(layout.indent * depth)}`;
  const inner = outer + ' '.repeat(layout.indent);
  return open + inner + parts.join(layout.item + inner) + outer + close;
}

/** JSON text as Python writes it with `ensure_ascii=False`. */
export function stringify(value: Json, layout: Layout = compact, depth = 0): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : floatText(value);
  if (value instanceof Float) return floatText(value.value);
  if (Array.isArray(value)) {
    const items = value.map((item) => stringify(item, layout, depth + 1));
    return wrap('[', ']', items, layout, depth);
  }
  const keys = Object.keys(value);
  if (layout.sorted) keys.sort(compareCodePoints);
  const members: string[] = [];
  for (const key of keys) {
    const member = value[key];
    if (member === undefined) continue;
    members.push(JSON.stringify(key) + layout.colon + stringify(member, layout, depth + 1));
  }
  return wrap('{', '}', members, layout, depth);
}

/** A JSON document with its final newline. */
export const document = (value: Json, layout: Layout = compact): Uint8Array =>
  Buffer.from(`${stringify(value, layout)}\n`);
