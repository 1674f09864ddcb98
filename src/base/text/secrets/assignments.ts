import { secretKindOf } from './names.ts';
import { COMMAND_PATTERNS, patternSpans } from './patterns.ts';
import { merged, type Span } from './spans.ts';
import { isHarmless } from './values.ts';

/**
 * A value between quotes, which may be escaped, or up to the end of the word. A quote after a backslash belongs to the
 * value, and the end of the line ends a word that was cut off.
 */
const VALUE =
  '(?:[bfru]{0,2}(?<quote>\\\\{0,4}(?:"""|\'\'\'|["\'`]))(?<quoted>(?:(?<="""|\'\'\')\\s{0,40}[^"\'`]{1,2000}?\\s{0,40}|[^\\r\\n]{0,2000}?))(?:(?<!\\\\)\\k<quote>|(?=[\\r\\n]|$)(?<=["\'`][^\\s"\'`]{4,400}))|(?<bare>\\$\\{\\{?[^\\r\\n}]{1,100}\\}{1,2}|[^\\s"\'`,;<>()[\\]{}|&\\\\]{1,500}))';

/** Wrappers of a literal: `Some("value")`, `SecretStr("value")`. */
const WRAPPED =
  '(?:(?:Some|Ok|Just|Secret|SecretStr|SecretString|String|Optional)(?:[.:]{1,2}\\w{1,10})?\\((?=\\\\{0,4}["\'`]))?';

/** The end of bold or other markup: `**name:** value`. */
const MARKUP = '(?:[*_]{1,3}|</[a-z]{1,10}>)';

/** `name=value`, `name: value`, `"name": "value"`, `\"name\":\"value\"`, `'name' => 'value'`, `config["name"] = value`. */
const ASSIGNMENT = new RegExp(
  `(?<![\\w$.-]|[Ee]xpected )(?<name>-{0,2}(?:(?:[Aa][Pp][Ii]|[Ss]ecret|[Aa]ccess|[Pp]rivate) )?[A-Za-z_$][\\w.$-]{1,100})(?:\\\\{0,4}["'\`]|${MARKUP})?\\]?[ \\t]{0,32}(?<sign>:=|\\?=|=>|[:=](?![=:]))(?:${MARKUP}(?=[ \\t]))?[ \\t]{0,32}${WRAPPED}${VALUE}`,
  'dg',
);

/** `name: Type = value`. */
const TYPED = new RegExp(
  `(?<![\\w$.-])(?<name>[A-Za-z_$][\\w$]{1,100})\\??[ ]?:[ ]?[A-Za-z_][\\w.<>[\\]| ]{0,60}?[ ]?=[ ]?${VALUE}`,
  'dg',
);

/** `--password value`, `"--password", "value"`. */
const FLAG = new RegExp(
  `(?<![\\w-])--?(?<name>[A-Za-z][\\w-]{1,60})(?:[ \\t]{1,4}|\\\\{0,4}["'],[ \\t]{0,4}(?=[\\\\"']))(?!\\\\{0,4}["']?-)${VALUE}`,
  'dg',
);

/** `<password>value</password>`, `<password><![CDATA[value]]></password>`. */
const ELEMENT =
  /<(?<name>[A-Za-z][\w.:-]{1,60})(?:\s[^<>]{0,200})?>(?:<!\[CDATA\[)?(?<bare>[^<>]{1,2000}?)(?:\]\]>)?<\//dg;

/** `ENV name value`, `aws configure set name value`. */
const SETTING = new RegExp(
  `(?:^[ \\t]{0,20}(?:ENV|ARG)|\\b(?:config(?:ure)? set|set -\\w{1,4}|setx|setenv|git config(?: --\\w{1,20})?))[ \\t]{1,8}(?<name>[^\\s"'=]{2,120})[ \\t]{1,8}${VALUE}`,
  'dgm',
);

/**
 * A row of a table with names and values: `| DB_PASSWORD | value |`. The value has a digit and is not a version.
 */
const ROW =
  /(?:^|\|)[ \t]{0,8}[`*]{0,2}(?<name>[A-Za-z_][\w.-]{1,100})[`*]{0,2}(?:[ \t]{0,40}\|[ \t]{0,8}|[ \t]{2,40}|\t)[`*]{0,2}(?<bare>(?!v?\d+\.\d)(?=[^\s\d]{0,200}\d)[^\s|`*]{6,400})[`*]{0,2}[ \t]{0,40}(?=\||\r?$)/dgm;

/** `variable "name" { default = "value" }` of Terraform. */
const VARIABLE =
  /\bvariable[ \t]{1,4}"(?<name>[\w-]{1,100})"\s{0,4}\{[^{}]{0,500}?\bdefault\s{0,8}=\s{0,8}"(?<quoted>[^"\r\n]{1,2000})"/dg;

/** A multi-line text in YAML, indented more than its name. */
const BLOCK =
  /^(?<pad>[ \t]{0,40})(?:- )?["']?(?<name>[A-Za-z_][\w.-]{1,100})["']?:[ \t]{0,8}[|>][-+\d]{0,2}[ \t]{0,8}\r?\n\k<pad>[ \t]{1,40}(?<bare>[^\s][^\r\n]*(?:(?:\r?\n){1,2}\k<pad>[ \t][^\r\n]*)*)/dgm;

/** A pair in YAML: `- name: x`, then `value: y` in the next line. */
const PAIR = new RegExp(
  `\\b(?:name|key):[ \\t]{1,8}["']?(?<name>[A-Za-z_][\\w.-]{1,100})["']?[ \\t]{0,8}\\r?\\n[ \\t]{1,40}value:[ \\t]{1,8}${VALUE}`,
  'dg',
);

/** `<add key="name" value="value"/>`. */
const ATTRIBUTES =
  /\b(?:key|name|type|id)=\\{0,4}["'](?<name>[^"'\r\n\\]{1,100})\\{0,4}["'](?:\s{1,20}[\w:-]{1,30}=["'][^"'\r\n]{0,100}["']){0,4}\s{1,20}value=(?<quote>\\{0,4}["'])(?<quoted>[^\r\n]{0,2000}?)\k<quote>/dgi;

/** `<key>name</key><string>value</string>`, `<property name="name">value</property>`. */
const ELEMENTS =
  /(?:<(?:key|name)>(?<name>[^<>\r\n]{1,100})<\/(?:key|name)>\s{0,40}<(?:string|data|value)>|\b(?:key|name)=["'](?<attribute>[^"'\r\n]{1,100})["'][^<>]{0,200}>)(?<bare>[^<>]{1,2000})<\//dgi;

/** `define("name", "value")`, `os.Setenv("name", "value")`. */
const CALL = new RegExp(
  `\\b\\w{0,30}(?:define|set|put|env|add|append|header|default|property)\\w{0,30}\\([ ]?\\\\{0,4}["'](?<name>[\\w.-]{2,100})\\\\{0,4}["'],[ ]?(?=\\\\{0,4}["'\`])${VALUE}`,
  'dgi',
);

/** A field of a multipart form, after its headers. */
const FIELD =
  /\bname=\\{0,4}["'](?<name>[^"'\r\n\\]{1,100})\\{0,4}["'](?:;[^\r\n\\]{1,200})?(?:(?:\r?\n|\\r\\n)[^\r\n\\]{1,200}){0,3}(?:\r?\n|\\r\\n){2}(?<bare>[^\r\n\\]{1,2000})/dg;

/**
 * `the password is "value"`, `Password for ann: value`. A value without quotes needs a digit or a symbol, or
 * it may be an ordinary word.
 */
const PROSE =
  /\b(?<name>password|passphrase|passcode|api key|secret key|token|pin)\s{1,3}(?:(?:is|was):?|to|of|for\s[^\s:]{1,100}(?::|\s{1,3}is))\s{1,3}(?:(?<quote>["'`])(?<quoted>[^\r\n"'`]{1,200})\k<quote>|(?<bare>(?=[^\s]{0,200}[\d!#$%^&*_])[^\s"'`,;<>()[\]{}]{4,200}[^\s"'`,;<>()[\]{}.!?]))/dgi;

/** A name, and a word with a digit in the next line, as after a prompt: `Password:`. */
const NEXT_LINE =
  /(?<![\w.-])(?<name>[A-Za-z][\w-]{1,60}):[ \t]{0,8}\r?\n[ \t]{0,40}(?<bare>(?=[^\s\d]{0,200}\d)[^\s"'`,;:=<>()[\]{}/]{6,200})[ \t]{0,8}(?=[\r\n]|$)/dg;

/** Names whose unquoted value may have several words. */
const MANY_WORDS = /(?:passphrase|mnemonic|phrase)$/i;

/** Schemes of HTTP authentication. */
const SCHEME = /^(?:basic|bearer|token|digest|negotiate|ntlm|oauth|hawk|api-?key|aws4-hmac-sha256)$/i;

/** The span of a match's group. */
function spanOf(match: RegExpExecArray, group: string, rule: string): Span | undefined {
  const [start, end] = match.indices?.groups?.[group] ?? [];
  return start === undefined || end === undefined ? undefined : { start, end, rule };
}

/** The span of a match's value, if its name means a secret and the value may be one. */
function namedValue(match: RegExpExecArray, text: string): Span | undefined {
  const { attribute = '', name = attribute, quoted, bare, sign } = match.groups ?? {};
  const value = quoted ?? bare ?? '';
  // Java writes -Dname=value.
  const kind = secretKindOf(name.replace(/^-{1,2}D?(?=[a-z])/, ''), value);
  if (kind === undefined) return undefined;
  // An unquoted value after `=>` is the body of a JavaScript function.
  if (sign === '=>' && quoted === undefined) return undefined;
  // Skips the scheme of an authorization header, and a cookie without a name. Header patterns find the secret.
  if (quoted === undefined && kind === 'authorization' && SCHEME.test(value)) return undefined;
  if (quoted === undefined && kind === 'cookie' && !value.includes('=')) return undefined;
  const span = spanOf(match, quoted === undefined ? 'bare' : 'quoted', kind);
  if (span === undefined || isHarmless(value, name, text.slice(span.end, span.end + 100))) return undefined;
  if (quoted !== undefined || !MANY_WORDS.test(name)) return span;
  const rest = /^[^\r\n"'`<]{0,400}/.exec(text.slice(span.end)) ?? [''];
  return { ...span, end: span.end + rest[0].trimEnd().length };
}

const SETTINGS = { pattern: SETTING, needs: /^[ \t]{0,20}(?:ENV|ARG)|set|config/m };

const PATTERNS = [
  { pattern: TYPED, needs: /:[^=\n]{1,80}=/ },
  { pattern: ASSIGNMENT, needs: /[:=]/ },
  { pattern: FLAG, needs: /(?:^|[^\w-])--?[A-Za-z]/ },
  { pattern: ELEMENT, needs: /<\// },
  { pattern: ELEMENTS, needs: /<\// },
  { pattern: ATTRIBUTES, needs: /\bvalue=/i },
  SETTINGS,
  { pattern: ROW, needs: /\||[ \t]{2}|\t/ },
  { pattern: VARIABLE, needs: /\bvariable[ \t]/ },
  { pattern: PAIR, needs: /\bvalue:/ },
  { pattern: BLOCK, needs: /:[ \t]{0,8}[|>]/ },
  { pattern: CALL, needs: /\([ ]?\\{0,4}["']/ },
  { pattern: FIELD, needs: /\bname=/ },
  { pattern: NEXT_LINE, needs: /:[ \t]{0,8}\r?\n/ },
  { pattern: PROSE, needs: /\b(?:password|pass(?:phrase|code)|key|token|pin)\s/i },
];

/** Finds values after a name that means a secret. */
export function* assignedSecrets(text: string, patterns = PATTERNS): Generator<Span> {
  for (const { pattern, needs } of patterns) {
    if (!needs.test(text)) continue;
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const span = namedValue(match, text);
      if (span !== undefined) yield span;
      // The value of an ordinary name may contain a secret name: `query=token=x`.
      const end = match.indices?.groups?.['name']?.[1] ?? pattern.lastIndex;
      if (span === undefined) pattern.lastIndex = end;
    }
  }
}

/** Finds secrets among the words of a command line or the items of a flat list of headers, by index. */
export function secretWords(
  words: readonly unknown[],
  isHeader: (name: string) => boolean,
): Map<number, Span> {
  const found = new Map<number, Span>();
  // One line of the same length in which spaces occur only between words.
  const signs = words.map((word) => (typeof word === 'string' ? word.replace(/[\s"'`|;,]/g, '_') : '_'));
  const line = signs.join(' ');
  let at = 0;
  const spans = merged([...patternSpans(line, COMMAND_PATTERNS), ...assignedSecrets(line, [SETTINGS])]);
  for (const [index, { length }] of signs.entries()) {
    for (let [span] = spans; span && span.start < at + length; [span] = spans) {
      found.set(index, { ...span, start: span.start - at, end: span.end - at });
      spans.shift();
    }
    at += length + 1;
  }
  for (const [index, word] of words.entries()) {
    const next = words[index + 1];
    if (typeof word !== 'string' || typeof next !== 'string') continue;
    const [, flag] = /^--?([A-Za-z][\w-]{0,60})$/.exec(word) ?? [];
    const isFlag = flag !== undefined && secretKindOf(flag, next) !== undefined && !next.startsWith('-');
    if (isFlag || isHeader(word)) found.set(index + 1, { start: 0, end: next.length, rule: 'secret' });
  }
  return found;
}
