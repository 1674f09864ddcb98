import { literal } from '../literal.ts';
import { TOKEN_FORMATS } from './formats.ts';
import type { Span } from './spans.ts';

/** A pattern whose first group is a secret, or the whole match if there is no group. */
interface SecretPattern {
  readonly name: string;
  readonly pattern: RegExp;
  /** Every match contains one of these texts. Absent: try the pattern on every text. */
  readonly starts?: readonly string[];
}

/**
 * Where a word may begin: not within a word, but directly behind an escape that is written out, such as `\\n`, `\\u0022`,
 * `%3D`, `=3D` and `&quot;`, whose last sign is a letter or a digit.
 */
const START = String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[abefnrtv0]|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|[%=][0-9a-fA-F]{2}))`;

const TOKENS: readonly SecretPattern[] = TOKEN_FORMATS.map(({ name, starts, rest }) => ({
  name,
  starts,
  // A prefix that begins with a symbol, such as `.atlasv1.`, includes the word before it.
  pattern: new RegExp(
    `${starts[0]?.startsWith('.') ? '[A-Za-z0-9_-]{0,100}' : `(?<!_)${START}`}(?:${starts.map(literal).join('|')})${rest}`,
    'dg',
  ),
}));

/** Flags of curl that take no value and may be combined with one that does. */
const SWITCHES = '#0-9aBfgGiIjJklLMnNOpqRsSvVZ';
/** The text between a flag and its value, also if the command is a list of strings in code. */
const GAP = '(?:[ =]*|["\'], ?)["\']?';
const VALUE = '([^\\s"\',-][^\\s"\']{0,200})';

/** Programs that take a secret after a short flag. */
const COMMANDS: readonly (readonly [program: string, flag: string])[] = [
  [
    'curl|wget2?|xh|http|https',
    `(?:-[${SWITCHES}]{0,12}[uU]|--user|--proxy-user|-a|--auth)${GAP}[^\\s:"',]{0,100}:(?!//)([^\\s"']{1,200})`,
  ],
  [
    'curl',
    `(?:-[${SWITCHES}]{0,12}b|--cookie)${GAP}([^\\s"'=,]{1,100}=[^"'\\r\\n]{1,2000}?)(?=["'\\r\\n]|\\s-|$)`,
  ],
  ['mysql|mysqldump|mysqladmin|mysqlimport|mariadb|mariadb-dump|mycli', `-p(?!ort|rotocol)["']?${VALUE}`],
  ['sshpass|docker login|podman login|helm registry login|az login|7z|cqlsh', `-p${GAP}${VALUE}`],
  ['redis-cli', `-a${GAP}${VALUE}`],
  ['mongo|mongosh|mongodump|mongorestore', `-p${GAP}${VALUE}`],
  ['sqlcmd|zip|unzip', `-P${GAP}${VALUE}`],
  ['smbclient|rpcclient', `-U${GAP}[^\\s%"']{1,100}%([^\\s"']{1,200})`],
  ['ldapsearch|ldapadd|ldapmodify', `-w${GAP}${VALUE}`],
  ['htpasswd', '-\\w{0,6}b\\w{0,6} +\\S{1,200} +\\S{1,100} +([^\\s"\']{1,200})'],
  ['openssl', '(?:-passin|-passout|-pass) +pass:([^\\s"\']{1,200})'],
];

const lineOf = (program: string, flag: string): SecretPattern => ({
  name: 'password',
  starts: program.split('|').map((name) => name.replace(/\d\?$| .*/, '')),
  pattern: new RegExp(
    `(?<![\\w-])(?:${program.replaceAll(' ', '["\',\\s]{1,4}')})(?:\\.exe)?(?:\\s|["'],)(?:[^\\r\\n|;]{0,400}?[\\s,"'])?${flag}`,
    'dg',
  ),
});

/** Secrets in command lines. */
export const COMMAND_PATTERNS: readonly SecretPattern[] = COMMANDS.map(([program, flag]) =>
  lineOf(program, flag),
);

/** Schemes of HTTP authentication that are followed by one word, and those followed by a list. */
const SCHEMES = 'Basic|Bearer|Token|Negotiate|NTLM|ApiKey|Api-Key|Key|SSWS|GenieKey|Bot';
const LISTS = 'Digest|Hawk|OAuth|AWS4-HMAC-SHA256|Signature|SharedKey|SharedAccessSignature|GoogleLogin|DPoP';

/** Patterns that always mean a secret. */
export const SURE_PATTERNS: readonly SecretPattern[] = [
  { name: 'redacted', starts: ['[redacted:'], pattern: /\[redacted:[a-z0-9-]{1,40}(?::\d{1,9})?\]/dg },
  {
    name: 'private-key',
    starts: ['-----BEGIN'],
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----[\s\S]{1,20000}?(?:-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----|$)/dg,
  },
  {
    name: 'private-key',
    starts: ['PuTTY-User-Key-File'],
    pattern: /PuTTY-User-Key-File-\d:[\s\S]{1,20000}?(?:Private-MAC: [a-f0-9]{1,128}|$)/dg,
  },
  ...TOKENS,
  {
    name: 'jwt',
    starts: ['eyJ'],
    pattern: new RegExp(`(?<!_)${START}eyJ[A-Za-z0-9_-]{8,4000}(?:\\.[A-Za-z0-9_-]{0,4000}){2,4}`, 'dg'),
  },
  {
    name: 'telegram-token',
    starts: [':AA'],
    pattern: new RegExp(`${START}\\d{8,10}:AA[A-Za-z0-9_-]{32,34}(?![A-Za-z0-9_-])`, 'dg'),
  },
  {
    name: 'discord-token',
    starts: ['.'],
    pattern: new RegExp(
      `(?<![_.-])${START}[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9_-])`,
      'dg',
    ),
  },
  {
    name: 'azure-secret',
    starts: ['8Q~', '7Q~'],
    pattern: new RegExp(`${START}[A-Za-z0-9_.~-]{3}[78]Q~[A-Za-z0-9_.~-]{30,36}`, 'dg'),
  },
  {
    name: 'mailchimp-key',
    starts: ['-us'],
    pattern: new RegExp(`${START}[a-f0-9]{32}-us\\d{1,2}(?![A-Za-z0-9])`, 'dg'),
  },
  {
    name: 'password-hash',
    starts: ['$'],
    pattern: /\$(?:2[abxy]|1|5|6|7|y|apr1|argon2(?:id|i|d)|scrypt)\$[^\s:"'`,;<>]{20,300}/dg,
  },
  {
    name: 'authorization',
    pattern: new RegExp(
      `authorization\\\\{0,4}["'\`]?\\]?\\s{0,4}[:=,]\\s{0,4}\\\\{0,4}["'\`]?(?:(?:${LISTS}) +([^\\r\\n]{4,4000})|(?:${SCHEMES}) +([^\\s"'\`$<{\\\\,;[][^\\s"'\`\\\\,;]{0,4000}))`,
      'dgi',
    ),
  },
  { name: 'bearer', pattern: /Bearer +([A-Za-z0-9._~+/-]{12,4000}=*)/dgi },
  {
    name: 'authorization',
    starts: ['Basic '],
    pattern: /Basic +([A-Za-z0-9+/]{8,4000}={0,2})(?![A-Za-z0-9+/ ]*[a-z] )/dg,
  },
  {
    name: 'cookie',
    pattern:
      /\b(?:set-)?cookie2?\\{0,4}["'`]?\]?\s{0,4}[:=,]\s{0,4}\\{0,4}["'`]?([^\s"'`=;,\\[$<{][^\s"'`=;,\\]{0,200}=[^"'`\r\n\\]{1,8000})/dgi,
  },
  {
    name: 'password-in-url',
    starts: ['://'],
    pattern:
      /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/"'`<>]{0,200}:(?!\$\{?[A-Z_]+\}?@)([^\s/"'`<>[\]]{1,400})@(?=[\w[$-])/dgi,
  },
  {
    name: 'token',
    starts: ['://'],
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/((?=[A-Za-z_-]{0,300}\d)[A-Za-z0-9_-]{16,300})@(?=\w)/dgi,
  },
  {
    name: 'token',
    starts: ['?', '&'],
    pattern:
      /[?&](?:sig|signature|x-amz-(?:signature|credential|security-token)|x-goog-(?:signature|credential)|key|auth|subscription-key|code(?==[^&\s]{16}))=([^&\s"'`<>#\\[$]{6,2000})/dgi,
  },
  {
    name: 'password',
    starts: ['login'],
    pattern: /\blogin\s{1,8}\S{1,200}\s{1,8}password\s{1,8}(\S{1,200})/dg,
  },
  {
    name: 'password',
    starts: [':54', ':*:'],
    pattern: /^[\w.*-]{1,200}:(?:54\d\d|\*):[\w*-]{1,100}:[\w*.-]{1,100}:([^\s:]{4,200})\r?$/dgm,
  },
  {
    name: 'password',
    starts: ['<input'],
    pattern: /<input\b[^<>]{0,300}?\bvalue=["']([^"'\r\n]{1,200})["'][^<>]{0,300}?\btype=["']?password/dg,
  },
  {
    name: 'password',
    pattern:
      /\b(?:identified\s{1,4}by|with\s{1,4}password|(?:create|alter)\s[^\r\n;]{1,200}?\spassword)\s{1,4}'([^'\r\n]{1,200})'/dgi,
  },
  {
    name: 'password',
    starts: ['ecureString', 'ecurestring'],
    pattern:
      /\bConvertTo-SecureString(?:\s{1,8}-(?:String|AsPlainText|Force))*\s{1,8}(?:"([^"\r\n$]{1,200})"|'([^'\r\n]{1,200})'|([^\s"'$(-][^\s"']{0,200}))/dgi,
  },
  {
    name: 'password',
    starts: ['echo', 'printf'],
    pattern:
      /\b(?:echo|printf)\s{1,4}(?:(?:-n|["']%s(?:\\n)?["'])\s{1,4})?["']?([^\s"'|$][^\s"'|]{0,200})["']?\s{0,4}\|\s{0,4}(?:sudo\s[^\r\n|;]{0,100}?-\w{0,8}S|[^\r\n|;]{1,200}?--(?:password-stdin|with-token|passphrase-fd)|(?:sudo\s)?(?:ch)?passwd)\b/dg,
  },
  {
    name: 'password',
    starts: ['auth', 'Auth', 'login'],
    pattern:
      /(?:\bauth\s?[=:]\s?|basic_?auth|\blogin|authenticate)\s?\(\s?[^\s,()]{1,100},\s?["']([^"'\r\n]{1,200})["']\s?\)/dgi,
  },
  {
    name: 'password',
    starts: ['@tcp(', '@unix('],
    pattern: /(?<![\w.-])[\w.-]{1,100}:([^\s"'`/]{1,200})@(?:tcp|unix)\(/dg,
  },
  ...COMMAND_PATTERNS,
];

/** Patterns for personal data, applied to the rest of the text. */
export const WEAK_PATTERNS: readonly SecretPattern[] = [
  {
    name: 'email',
    starts: ['@'],
    pattern: /(?<![\w.+-])(?!git@)[\w.+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,6}[A-Za-z]{2,24}\b/dg,
  },
  {
    name: 'user-name',
    // User names that images and services give to everyone are not personal.
    starts: ['/home', '/Users', ':\\', ':/'],
    pattern:
      /(?:\/(?:home|Users)\\{0,4}\/|\b[A-Z]:(?:\\{1,4}|\/)Users(?:\\{1,4}|\/))(?!(?:runner|node|user|root|ubuntu|vscode|codespace|vagrant|Shared|Public|Default)(?!\.?[\w-]))([^/\\\s"':]{1,64})/dg,
  },
  {
    name: 'user-name',
    // Programs name a folder after a path, with hyphens instead of slashes: -home-ann-shop, C--Users-ann-shop.
    starts: ['-home-', '-Users-'],
    pattern:
      /(?:(?<![A-Za-z0-9-])-(?:home|Users)|\b[A-Z]--Users)-(?!(?:runner|node|user|usr|root|ubuntu|vscode|codespace|vagrant|Shared|Public|Default)(?![\w.]))([A-Za-z0-9_.]{1,64})/dg,
  },
];

/** Finds the matches of patterns in a text. */
export function* patternSpans(text: string, patterns: readonly SecretPattern[]): Generator<Span> {
  for (const { name, pattern, starts } of patterns) {
    if (starts && !starts.some((start) => text.includes(start))) continue;
    for (const match of text.matchAll(pattern)) {
      const group = match.slice(1).findIndex((one) => one !== undefined) + 1;
      const [start, end] = match.indices?.[group] ?? [0, 0];
      if (end > start) yield { start, end, rule: name };
    }
  }
}
