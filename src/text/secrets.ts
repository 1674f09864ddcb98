/** One kind of text that looks like a secret. */
interface SecretRule {
  readonly name: string;
  readonly pattern: RegExp;
  /** Which group is the secret; all of it by default. */
  readonly group?: number;
}

/**
 * What looks like a secret, the surest first. Patterns begin with what is fixed and are bounded, so that no text makes
 * them slow.
 */
const SECRET_RULES: readonly SecretRule[] = [
  {
    name: 'private-key',
    pattern:
      /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]{1,20000}?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)/g,
  },
  { name: 'aws-key', pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
  { name: 'github-token', pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{22,255})\b/g },
  { name: 'gitlab-token', pattern: /\bglpat-[A-Za-z0-9_-]{20,64}/g },
  { name: 'anthropic-key', pattern: /\bsk-ant-[A-Za-z0-9_-]{20,255}/g },
  { name: 'openai-key', pattern: /\bsk-(?:proj-|svcacct-)?[A-Za-z0-9_-]{20,255}/g },
  { name: 'google-key', pattern: /\bAIza[0-9A-Za-z_-]{35}/g },
  { name: 'slack-token', pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{10,255}/g },
  { name: 'stripe-key', pattern: /\b[srp]k_(?:live|test)_[A-Za-z0-9]{16,255}/g },
  { name: 'npm-token', pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { name: 'pypi-token', pattern: /\bpypi-[A-Za-z0-9_-]{40,255}/g },
  { name: 'huggingface-token', pattern: /\bhf_[A-Za-z0-9]{30,64}\b/g },
  { name: 'jwt', pattern: /\beyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{0,4000}/g },
  { name: 'bearer', pattern: /\bBearer +([A-Za-z0-9._~+/-]{16,2000}=*)/gi, group: 1 },
  {
    name: 'password-in-url',
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/]{1,100}:([^\s@/]{1,200})@/gi,
    group: 1,
  },
  {
    name: 'password',
    pattern:
      /\b\w{0,40}?(?:password|passwd|secret|token|api[_-]?key|access[_-]?key|auth[_-]?key)["']? ?[:=] ?["']?([^\s"',;<>()[\]{}]{6,200})/gi,
    group: 1,
  },
  { name: 'email', pattern: /\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}\b/g },
  {
    name: 'user-name',
    pattern: /(?:\/home\/|\/Users\/|\b[A-Z]:\\{1,2}Users\\{1,2})([^/\\\s"':]{1,64})/g,
    group: 1,
  },
];

/** Words that may be keys: long, and of more than one kind of character. */
const WORD = /[A-Za-z0-9+/_=-]{32,}/g;
/** In bits a character: prose and paths lie below, random base64 near 6. */
const LEAST_ENTROPY = 4.3;

/** How much a character of a text tells, in bits. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** Whether a word looks random: no hash or UUID, which name things, and no words joined by signs. */
function looksRandom(word: string): boolean {
  if (/^[0-9a-f-]+$/i.test(word) || !/\d/.test(word) || !/[A-Z]/.test(word) || !/[a-z]/.test(word))
    return false;
  return entropyOf(word.slice(0, 256)) >= LEAST_ENTROPY;
}

/** Replaces secrets by placeholders: one secret has the same one wherever it stands. */
export class Redactor {
  readonly #placeholders = new Map<string, string>();
  readonly #counts = new Map<string, { places: number; different: number }>();

  /** A text with its secrets replaced. */
  redact(text: string): string {
    let result = text;
    for (const { name, pattern, group } of SECRET_RULES)
      result = result.replace(pattern, (whole: string, ...rest: unknown[]) => {
        const found = group === undefined ? whole : String(rest[group - 1]);
        // A rule may see no more of a placeholder than its beginning.
        if (found.startsWith('[redacted')) return whole;
        return group === undefined
          ? this.#placeholder(name, found)
          : whole.replace(found, () => this.#placeholder(name, found));
      });
    return result.replace(WORD, (word) => (looksRandom(word) ? this.#placeholder('random', word) : word));
  }

  /** How often each rule applied, and to how many different secrets. */
  get report(): { rule: string; places: number; different: number }[] {
    return [...this.#counts].map(([rule, counts]) => ({ rule, ...counts }));
  }

  /** What was asked to be left out. */
  dropped(): string {
    const counts = this.#counts.get('dropped') ?? { places: 0, different: 0 };
    this.#counts.set('dropped', counts);
    counts.places += 1;
    return '[redacted:dropped]';
  }

  #placeholder(rule: string, secret: string): string {
    const counts = this.#counts.get(rule) ?? { places: 0, different: 0 };
    this.#counts.set(rule, counts);
    counts.places += 1;
    const key = `${rule} ${secret}`;
    const known = this.#placeholders.get(key);
    if (known !== undefined) return known;
    counts.different += 1;
    const placeholder = `[redacted:${rule}:${counts.different}]`;
    this.#placeholders.set(key, placeholder);
    return placeholder;
  }
}
