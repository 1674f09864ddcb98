/** The kind of secret that a name implies, used in the placeholder. */
export type SecretKind = 'password' | 'token' | 'key' | 'authorization' | 'cookie' | 'secret';

const KINDS: Readonly<Record<SecretKind, string>> = {
  password:
    'password passwd passwort passphrase passcode mnemonic pincode userpass dbpass sshpass pgpass pswd passwrd',
  token: 'token jwt bearer csrf xsrf authtoken accesstoken refreshtoken idtoken sessiontoken',
  key: 'apikey secretkey accesskey privatekey privkey authkey accountkey signingkey encryptionkey',
  authorization: 'authorization',
  cookie: 'cookie phpsessid jsessionid',
  secret: 'secret cred credential clientsecret connectionstring cvv cvc ssn otp totp',
};

/** The last word of names that mean a secret. */
const HEADS = new Map<string, SecretKind>(
  Object.entries(KINDS).flatMap(([kind, words]) =>
    words.split(' ').map((word): [string, SecretKind] => [word, kind as SecretKind]),
  ),
);

/** Suffixes of names without word breaks, such as `dbpassword`. */
const ENDINGS =
  /(password|passwd|passphrase|apikey|secretkey|accesskey|privatekey|authtoken|accesstoken|clientsecret|credentials)s?$/;

/** Words that turn the next word into a secret. */
const BEFORE: Readonly<Record<string, ReadonlySet<string>>> = {
  key: wordSet(
    'api access secret private auth encryption encrypt decryption signing master account ssh deploy shared service subscription license hmac webhook rsa gpg pgp jwt admin root app application client cipher aes anthropic openai stripe',
  ),
  keys: wordSet('api access secret private ssh signing encryption'),
  tokens: wordSet('access refresh auth api bearer session secret'),
  pass: wordSet(
    'db database user smtp mysql postgres pg redis mongo mail email ftp sftp ssh admin root proxy http login auth rabbitmq amqp ldap imap sudo wifi keystore key store my app',
  ),
  pwd: wordSet('db database user smtp mysql postgres pg redis mongo admin root login sa'),
  phrase: wordSet('seed pass recovery secret'),
  code: wordSet('recovery backup mfa verification security pin otp auth'),
  codes: wordSet('recovery backup mfa'),
  string: wordSet('connection'),
  pin: wordSet('user card sim atm bank security access login unlock'),
  word: wordSet('pass'),
  text: wordSet('password passphrase secret'),
};

/** Words at the end that do not change the meaning. */
const TRAILING = wordSet(
  'value data pem plain plaintext cleartext encrypted raw b64 base64 confirm confirmation repeat again hash prod production staging dev base',
);

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}

/** Splits `dbPassword`, `DB_PASSWORD2`, `x-api-key`, `APIKey` into words. */
function wordsOf(name: string): string[] {
  return name
    .slice(-100)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
}

function kindOfName(name: string): SecretKind | undefined {
  const words = wordsOf(name);
  while (words.length > 1 && TRAILING.has(words.at(-1) ?? '')) words.pop();
  if (words.slice(-3).join(' ') === 'access key id') return 'key';
  const last = words.at(-1) ?? '';
  // `tokens` usually is a count.
  const head = HEADS.get(last) ?? (last === 'tokens' ? undefined : HEADS.get(last.replace(/s$/, '')));
  if (head !== undefined) return head;
  if (ENDINGS.test(last)) return /pass/.test(last) ? 'password' : 'secret';
  if (!Object.hasOwn(BEFORE, last) || !BEFORE[last]?.has(words.at(-2) ?? '')) return undefined;
  return /^pass|^pwd|phrase|word/.test(last) ? 'password' : last.startsWith('key') ? 'key' : 'secret';
}

const known = new Map<string, SecretKind | undefined>();
const MOST_KNOWN = 10_000;

/**
 * The kind of secret that a name means; undefined for other names such as `input_tokens`, `token_count`,
 * `secret_name`.
 */
export function secretKind(name: string): SecretKind | undefined {
  if (known.has(name)) return known.get(name);
  if (known.size > MOST_KNOWN) known.clear();
  const kind = kindOfName(name);
  known.set(name, kind);
  return kind;
}

const NO_PATH = /^(?![/~.\\$]|[A-Za-z]:[\\/])\S{4,}$/;

/** Names that only mean a secret for some values: `pass` may count tests, `pwd` may be a folder. */
const DOUBTFUL: Readonly<Record<string, RegExp>> = {
  pass: /^(?!(?:pass(?:ed)?|fail(?:ed)?|ok|yes|no|true|false|none|null|skip(?:ped)?|[\d.,/%\s]+)$)\S{4,}$/i,
  pwd: NO_PATH,
  pw: NO_PATH,
  auth: /^(?:[^\s:/]+:[^\s/]\S*|(?=\S*[\d=])(?=\S*[A-Z])[A-Za-z0-9+/_-]{8,}={0,2})$/,
  pin: /^\d{4,12}$/,
};

/** Words that turn `pass` into a step or a result. */
const STEPS = wordSet(
  'first second third last next single multi one two all test tests must did can check checks render forward backward boarding num by',
);

/** The kind of secret of a named text. For ambiguous names the text decides. */
export function secretKindOf(name: string, text: string): SecretKind | undefined {
  const kind = secretKind(name);
  if (kind !== undefined) return kind;
  if (!/(?:pass|pwd?|auth|pin)[^a-z]*$/i.test(name.slice(-100))) return undefined;
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  if (words.length > 1 && (!/^p/.test(last) || last === 'pin' || STEPS.has(words.at(-2) ?? '')))
    return undefined;
  return Object.hasOwn(DOUBTFUL, last) && DOUBTFUL[last]?.test(text) ? 'password' : undefined;
}

/** Whether a text is the name of an HTTP header with a secret. None of these names is an ordinary word. */
export const isSecretHeader = (name: string): boolean =>
  /^(?:(?:proxy-|x-)?authorization|(?:set-)?cookie2?|(?:x-[\w-]{1,60}|private|job|deploy|api)-(?:key|token|secret|password))$/i.test(
    name,
  );
