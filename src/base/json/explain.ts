import { QUOTE } from './ascii.ts';
import { MAX_VALUES } from './limits.ts';
import type { JsonScanner } from './scanner.ts';
import type { ScanFault } from './tokens.ts';

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Literals of other languages that end up in logs, and their JSON equivalents. */
const FOREIGN_WORDS: Record<string, string> = {
  True: 'true',
  False: 'false',
  None: 'null',
  nil: 'null',
  undefined: 'null',
  nan: 'null',
};

/** The word or character at an offset, for a message. */
function tokenAt(bytes: Uint8Array, at: number, end: number): string {
  const text = utf8.decode(bytes.subarray(at, Math.min(end, at + 80)));
  const [first = ''] = text;
  return /^[\p{L}\p{N}_]{1,20}/u.exec(text)?.[0] ?? first;
}

function codePoint(token: string): string {
  return `U+${Number(token.codePointAt(0)).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** A token for a message: printable tokens in quotes, others by code point. */
function shown(token: string): string {
  return /^[\p{L}\p{N}\p{P}\p{S}]/u.test(token) ? `\`${token}\`` : codePoint(token);
}

/**
 * Explains in one sentence why a scan failed. The wording depends on the text alone, so it is the same on
 * every runtime.
 */
export function explainFault(scanner: JsonScanner, bytes: Uint8Array, end: number): string {
  const { faultAt: at, depth } = scanner;
  const fault = scanner.fault as ScanFault;
  const token = tokenAt(bytes, at, end);
  const within = depth === 0 ? 'the value' : 'an object or array';
  switch (fault) {
    case 'end-of-text':
      return `the text ends before ${within} is complete`;
    case 'open-string':
      return 'the text ends inside a string';
    case 'trailing-comma':
      return `a comma comes before the closing ${shown(token)}`;
    case 'key-expected':
      return bytes[at] === 0x27
        ? 'a key is in single quotes; JSON uses double quotes'
        : `expected a key in double quotes, found ${shown(token)}`;
    case 'colon-expected':
      return `expected \`:\` after the key, found ${shown(token)}`;
    case 'comma-expected':
      return bytes[at] === QUOTE
        ? 'expected `,` or the end of the container; a comma is missing before this string, or a quote inside the last one is not escaped'
        : `expected \`,\` or the end of the container, found ${shown(token)}`;
    case 'bad-number':
      return 'a number is malformed: no leading zeros, and digits on both sides of a dot and after an exponent';
    case 'bad-escape':
      return 'a backslash does not begin a valid JSON escape';
    case 'control-character':
      return `a string contains the control character ${codePoint(token)} without an escape`;
    case 'trailing-text':
      return `expected the end of the text, found ${shown(token)}`;
    case 'too-deep':
      return 'the value is nested too deep';
    case 'too-many-values':
      return `it has more than ${MAX_VALUES} values`;
    case 'bad-literal':
    case 'value-expected': {
      const json = Object.hasOwn(FOREIGN_WORDS, token) ? FOREIGN_WORDS[token] : undefined;
      if (json !== undefined) return `found \`${token}\`; JSON writes \`${json}\``;
      if (bytes[at] === 0x27) return 'a string is in single quotes; JSON uses double quotes';
      return `expected a value, found ${shown(token)}`;
    }
  }
}
