import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  isJsonSpace,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from './ascii.ts';

/** One value of a JSON text: where it is, how one gets there, and where the key that names it stands. */
export interface JsonNode {
  readonly path: (string | number)[];
  readonly kind: 'object' | 'array' | 'scalar';
  readonly start: number;
  readonly end: number;
  /** Where its container opens; -1 for the root. */
  readonly parent: number;
  /** The key's bytes, quotes included; absent for array elements and the root. */
  readonly key?: { readonly start: number; readonly end: number };
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** The offset after the string that opens at `at`. */
export function afterString(bytes: Uint8Array, at: number): number {
  let next = at + 1;
  while (bytes[next] !== QUOTE) next += bytes[next] === BACKSLASH ? 2 : 1;
  return next + 1;
}

/** The offset after the scalar that begins at `at`. */
export function afterScalar(bytes: Uint8Array, at: number, end: number): number {
  if (bytes[at] === QUOTE) return afterString(bytes, at);
  let next = at;
  while (next < end) {
    const byte = bytes[next];
    if (byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || isJsonSpace(byte)) break;
    next += 1;
  }
  return next;
}

interface Open {
  readonly node: Omit<JsonNode, 'end'>;
  index: number;
}

/**
 * Goes through a text that the scanner has accepted and reports each value once it has ended, children before
 * their parents. For the careful looks that follow a finding: it allocates freely.
 */
export function walkJson(
  bytes: Uint8Array,
  start: number,
  end: number,
  visit: (node: JsonNode) => void,
): void {
  const open: Open[] = [];
  let at = start;
  let key: { start: number; end: number } | undefined;
  const space = () => {
    while (at < end && isJsonSpace(bytes[at])) at += 1;
  };

  while (true) {
    space();
    if (at >= end) return;
    const parent = open.at(-1);
    const byte = bytes[at];
    if (parent && (byte === CLOSE_BRACE || byte === CLOSE_BRACKET)) {
      at += 1;
      open.pop();
      visit({ ...parent.node, end: at });
      continue;
    }
    if (byte === COMMA) {
      at += 1;
      continue;
    }
    if (parent?.node.kind === 'object' && key === undefined) {
      const keyStart = at;
      at = afterString(bytes, at);
      key = { start: keyStart, end: at };
      space();
      if (bytes[at] === COLON) at += 1;
      continue;
    }

    const path = parent ? [...parent.node.path] : [];
    if (key) path.push(JSON.parse(utf8.decode(bytes.subarray(key.start, key.end))) as string);
    else if (parent) path.push(parent.index++);
    const place = { path, start: at, parent: parent?.node.start ?? -1, ...(key && { key }) };
    key = undefined;
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      open.push({ node: { ...place, kind: byte === OPEN_BRACE ? 'object' : 'array' }, index: 0 });
      at += 1;
    } else {
      at = afterScalar(bytes, at, end);
      visit({ ...place, kind: 'scalar', end: at });
    }
  }
}
