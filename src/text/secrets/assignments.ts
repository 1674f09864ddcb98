import { secretKind, secretKindOf } from './names.ts';
import type { Span } from './spans.ts';
import { isNoSecret } from './values.ts';

/** A value between quotes, which may be escaped themselves, or up to the next sign that ends a word. */
const VALUE =
  '(?:[bfru]{0,2}(?<quote>\\\\{0,4}["\'`])(?<quoted>[^\\r\\n]{0,2000}?)\\k<quote>|(?<bare>\\$\\{\\{?[^\\r\\n}]{1,100}\\}{1,2}|[^\\s"\'`,;<>()[\\]{}|&\\\\]{1,500}))';

/** `name=value`, `name: value`, `"name": "value"`, `\"name\":\"value\"`, `'name' => 'value'`, `config["name"] = value`. */
const ASSIGNMENT = new RegExp(
  `(?<![\\w$.-])(?<name>-{0,2}[A-Za-z_$][\\w.$-]{1,100})(?:\\\\{0,4}["'\`])?\\]?[ \\t]{0,8}(?<sign>:=|\\?=|=>|[:=](?![=:]))[ \\t]{0,8}${VALUE}`,
  'dg',
);

/** `name: Type = value`. */
const TYPED = new RegExp(
  `(?<![\\w$.-])(?<name>[A-Za-z_$][\\w$]{1,100})\\??[ ]?:[ ]?[A-Za-z_][\\w.<>[\\]| ]{0,60}?[ ]?=[ ]?${VALUE}`,
  'dg',
);

/** `--password value`. */
const FLAG = new RegExp(`(?<![\\w-])--?(?<name>[A-Za-z][\\w-]{1,60})[ \\t]{1,4}(?!-)${VALUE}`, 'dg');

/** `<password>value</password>`. */
const ELEMENT = /<(?<name>[A-Za-z][\w.:-]{1,60})(?:\s[^<>]{0,200})?>(?<bare>[^<>]{1,2000})<\//dg;

/** `the password is "value"`: a value without quotes must have a digit or a sign, else it is a word of the sentence. */
const PROSE =
  /\b(?<name>password|passphrase|passcode|api key|secret key|token|pin)\s{1,3}(?:is|was|to|of)\s{1,3}(?:(?<quote>["'`])(?<quoted>[^\r\n"'`]{1,200})\k<quote>|(?<bare>(?=[^\s]{0,200}[\d!#$%^&*_])[^\s"'`,;<>()[\]{}]{4,200}[^\s"'`,;<>()[\]{}.!?]))/dgi;

/** Names of which a value without quotes may have several words. */
const MANY_WORDS = /(?:passphrase|mnemonic|phrase)$/i;

/** Schemes of HTTP authentication. */
const SCHEME = /^(?:basic|bearer|token|digest|negotiate|ntlm|oauth|hawk|api-?key|aws4-hmac-sha256)$/i;

/** The span of a match's group. */
function spanOf(match: RegExpExecArray, group: string, rule: string): Span | undefined {
  const [start, end] = match.indices?.groups?.[group] ?? [];
  return start === undefined || end === undefined ? undefined : { start, end, rule };
}

/** The span of the value that a match names, where its name means a secret and the value may be one. */
function namedValue(match: RegExpExecArray, text: string): Span | undefined {
  const { name = '', quoted, bare, sign } = match.groups ?? {};
  const value = quoted ?? bare ?? '';
  // Java has -Dname=value.
  const kind = secretKindOf(name.replace(/^-{1,2}D?(?=[a-z])/, ''), value);
  if (kind === undefined) return undefined;
  // An arrow function of JavaScript has no quotes behind its arrow.
  if (sign === '=>' && quoted === undefined) return undefined;
  // A scheme is no secret, and a cookie has a name: what follows is found by patterns of headers.
  if (quoted === undefined && kind === 'authorization' && SCHEME.test(value)) return undefined;
  if (quoted === undefined && kind === 'cookie' && !value.includes('=')) return undefined;
  const span = spanOf(match, quoted === undefined ? 'bare' : 'quoted', kind);
  if (span === undefined || isNoSecret(value, name, text.slice(span.end, span.end + 100))) return undefined;
  if (quoted !== undefined || !MANY_WORDS.test(name)) return span;
  const rest = /^[^\r\n"'`<]{0,400}/.exec(text.slice(span.end)) ?? [''];
  return { ...span, end: span.end + rest[0].trimEnd().length };
}

const PATTERNS = [
  { pattern: TYPED, needs: /:[^=\n]{1,80}=/ },
  { pattern: ASSIGNMENT, needs: /[:=]/ },
  { pattern: FLAG, needs: /(?:^|[^\w-])--?[A-Za-z]/ },
  { pattern: ELEMENT, needs: /<\// },
  { pattern: PROSE, needs: /\b(?:password|pass(?:phrase|code)|key|token|pin)\s/i },
];

/** The values of a text that stand behind a name that means a secret. */
export function* assignedSecrets(text: string): Generator<Span> {
  for (const { pattern, needs } of PATTERNS) {
    if (!needs.test(text)) continue;
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const span = namedValue(match, text);
      if (span !== undefined) yield span;
      // The value of a name that means nothing may hold a name that does: `query=token=x`.
      const end = match.indices?.groups?.['name']?.[1] ?? pattern.lastIndex;
      if (span === undefined) pattern.lastIndex = end;
    }
  }
}

/** The secrets among the words of a command line or the texts of a flat list of headers, by their places in the list. */
export function secretWords(words: readonly unknown[], isHeader: (name: string) => boolean): Set<number> {
  const found = new Set<number>();
  for (const [index, word] of words.entries()) {
    const next = words[index + 1];
    if (typeof word !== 'string' || typeof next !== 'string') continue;
    const [, flag] = /^--?([A-Za-z][\w-]{0,60})$/.exec(word) ?? [];
    const isFlag = flag !== undefined && secretKind(flag) !== undefined && !next.startsWith('-');
    if (isFlag || isHeader(word)) found.add(index + 1);
  }
  return found;
}
