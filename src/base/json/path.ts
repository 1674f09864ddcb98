import { isObject } from './value.ts';
/** A path into a JSON document: keys and array indexes from the root. */
export type JsonPath = readonly (string | number)[];

const PLAIN_KEY = /^[^\s.[\]"'\\]+$/u;

/**
 * Formats a path for people: `payload.steps[0].x-note`. A key that is not a plain word is quoted: `a["b c"]`.
 */
export function formatPath(path: JsonPath): string {
  let text = '';
  for (const segment of path) {
    if (typeof segment === 'number') text += `[${segment}]`;
    else if (PLAIN_KEY.test(segment)) text += text === '' ? segment : `.${segment}`;
    else text += `[${JSON.stringify(segment)}]`;
  }
  return text;
}

const SEGMENT = /(?:^|\.)([^\s.[\]"'\\]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/uy;

/**
 * Parses the output of {@link formatPath}; undefined if the text is not a path. A leading dot, as in jq, is
 * allowed.
 */
export function parsePath(text: string): JsonPath | undefined {
  const source = text.startsWith('.') ? text.slice(1) : text;
  const path: (string | number)[] = [];
  SEGMENT.lastIndex = 0;
  while (SEGMENT.lastIndex < source.length) {
    const match = SEGMENT.exec(source);
    if (match === null) return undefined;
    const [, word, index, quoted] = match;
    if (word !== undefined) path.push(word);
    else if (index !== undefined) path.push(Number(index));
    else {
      try {
        path.push(JSON.parse(String(quoted)) as string);
      } catch {
        return undefined;
      }
    }
  }
  return path;
}

function isContainer(value: unknown): value is Record<string | number, unknown> {
  return isObject(value) || Array.isArray(value);
}

/** The value at a path, using own keys only; undefined if there is none. */
export function valueAt(root: unknown, path: JsonPath): unknown {
  let value = root;
  for (const segment of path) {
    if (!isContainer(value) || !Object.hasOwn(value, segment)) return undefined;
    // The `length` of an array is not part of the document.
    if (Array.isArray(value) && !/^\d+$/.test(String(segment))) return undefined;
    value = value[segment];
  }
  return value;
}
