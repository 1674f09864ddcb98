import { isDigit, MINUS } from './ascii.ts';
import { formatPath } from './path.ts';
import { walkJson } from './walk.ts';

/** Something a JSON text may hold but should not. */
export interface JsonNotice {
  readonly kind: 'duplicate-key' | 'unsafe-integer';
  readonly start: number;
  readonly end: number;
  /** Where in the document. */
  readonly path: string;
  /** The key or the integer as it is written. */
  readonly text: string;
}

const MAX_SAFE = '9007199254740992';
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Whether a number's text is an integer beyond 2^53 in size. */
function isUnsafeInteger(text: string): boolean {
  if (!/^-?\d+$/.test(text)) return false;
  const digits = text.replace('-', '');
  return digits.length > MAX_SAFE.length || (digits.length === MAX_SAFE.length && digits > MAX_SAFE);
}

/** The repeated keys and the unsafe integers of a text that the scanner has accepted, in the order of the text. */
export function lintJson(bytes: Uint8Array, start: number, end: number): JsonNotice[] {
  const notices: JsonNotice[] = [];
  const seen = new Set<string>();
  walkJson(bytes, start, end, (node) => {
    if (node.key) {
      const name = `${node.parent}:${node.path.at(-1)}`;
      if (seen.has(name)) {
        const text = String(node.path.at(-1));
        notices.push({
          kind: 'duplicate-key',
          start: node.key.start,
          end: node.key.end,
          path: formatPath(node.path),
          text,
        });
      }
      seen.add(name);
    }
    const first = bytes[node.start];
    if (node.kind === 'scalar' && (isDigit(first) || first === MINUS)) {
      const text = utf8.decode(bytes.subarray(node.start, node.end));
      if (isUnsafeInteger(text)) {
        notices.push({
          kind: 'unsafe-integer',
          start: node.start,
          end: node.end,
          path: formatPath(node.path),
          text,
        });
      }
    }
  });
  return notices.sort((a, b) => a.start - b.start);
}
