import { isDigit, MINUS, OPEN_BRACE } from './ascii.ts';
import { formatPath } from './path.ts';
import { afterString } from './tokens-at.ts';
import { keyAt, ValueIndex } from './value-index.ts';

/** Something that valid JSON may contain but should not. */
export interface JsonNotice {
  readonly kind: 'duplicate-key' | 'unsafe-integer';
  readonly start: number;
  readonly end: number;
  /** The key or integer as written. */
  readonly text: string;
  /** The place in the document. Call it before the next notice, because paths are computed on demand. */
  path(): string;
}

const MAX_SAFE = '9007199254740992';
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Whether the text of a number is an integer beyond 2^53. */
function isUnsafeInteger(text: string): boolean {
  if (!/^-?\d+$/.test(text)) return false;
  const digits = text.replace('-', '');
  return digits.length > MAX_SAFE.length || (digits.length === MAX_SAFE.length && digits > MAX_SAFE);
}

/** Explains the effect of a repeated key. */
export function duplicateKey({ text }: JsonNotice): string {
  return `the key ${JSON.stringify(text)} occurs twice in one object; readers take the last`;
}

/** An open object or array during the walk. */
interface Open {
  readonly end: number;
  /** The keys seen so far; undefined for an array. */
  readonly names: Set<string> | undefined;
  /** The key or index of the current value. */
  at: string | number;
}

/** Yields the repeated keys and unsafe integers of a valid text, in order. */
export function* lintJson(bytes: Uint8Array, start: number, end: number): Generator<JsonNotice, void, void> {
  const index = new ValueIndex(bytes, start, end);
  const open: Open[] = [];
  const path = () => formatPath(open.map(({ at }) => at));
  for (let value = 0; value < index.size; value += 1) {
    let parent = open.at(-1);
    for (; parent !== undefined && value >= parent.end; parent = open.at(-1)) open.pop();
    if (parent?.names) {
      const key = index.keyOf(value);
      const text = keyAt(bytes, key);
      parent.at = text;
      if (parent.names.has(text))
        yield { kind: 'duplicate-key', start: key, end: afterString(bytes, key), text, path };
      parent.names.add(text);
    } else if (parent) parent.at = Number(parent.at) + 1;
    const from = index.startOf(value);
    const first = bytes[from];
    if (isDigit(first) || first === MINUS) {
      const text = utf8.decode(bytes.subarray(from, index.endOf(value)));
      if (isUnsafeInteger(text))
        yield { kind: 'unsafe-integer', start: from, end: index.endOf(value), text, path };
    } else if (index.after(value) > value + 1)
      open.push({ end: index.after(value), names: first === OPEN_BRACE ? new Set() : undefined, at: -1 });
  }
}
