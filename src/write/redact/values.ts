import { parseExactJson } from '../../base/json/parse.ts';
import { JsonScanner } from '../../base/json/scanner.ts';
import { StoredNumber } from '../../base/json/stored-number.ts';
import { isObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { textOf, writeJson } from '../../base/json/write.ts';
import { secretWords } from '../../base/text/secrets/assignments.ts';
import { isSecretHeader, type SecretKind, secretKind, secretKindOf } from '../../base/text/secrets/names.ts';
import { Redactor } from '../../base/text/secrets/redactor.ts';

/** Dotted paths to keep as they are, and to drop. Array indexes are not part of a path. */
export interface RedactChoices {
  readonly keep: readonly string[];
  readonly drop: readonly string[];
}

/** The members that name a value, and those that contain it: `{"name": "API_KEY", "value": "x"}`. */
const NAMING = [
  'name',
  'key',
  'header',
  'field',
  'variable',
  'var',
  'env',
  'param',
  'id',
  'k',
  'Name',
  'Key',
];
const HOLDING = new Set(['value', 'val', 'content', 'data', 'default', 'text', 'Value', 'values', 'v']);

/** The kind of secret in a `{name, value}` pair. */
function kindOfPair(object: JsonObject, text: string): SecretKind | undefined {
  for (const naming of NAMING) {
    const name = object[naming];
    const kind = typeof name === 'string' && name.length <= 100 ? secretKindOf(name, text) : undefined;
    if (kind !== undefined) return kind;
  }
  return undefined;
}

const scanner = new JsonScanner();

/** Parses a text that is a JSON document; undefined for other texts, and if it is nested too deeply. */
function jsonIn(text: string): JsonValue | undefined {
  if (!/^\s*["[{]/.test(text)) return undefined;
  const bytes = Buffer.from(text);
  // The scanner accepts NaN, which is not JSON.
  return scanner.scan(bytes, 0, bytes.length) && scanner.nonFiniteAt < 0 ? parseExactJson(text) : undefined;
}

/**
 * Replaces the secrets in JSON values. Keeps ids that records use for each other, unless they look like a
 * secret.
 */
export class ValueRedactor {
  readonly redactor = new Redactor();
  readonly #names: ReadonlySet<string>;
  readonly #keep: ReadonlySet<string>;
  readonly #drop: ReadonlySet<string>;

  constructor(names: ReadonlySet<string>, { keep, drop }: RedactChoices) {
    this.#names = names;
    this.#keep = new Set(keep);
    this.#drop = new Set(drop);
  }

  /** Returns a value with its secrets replaced, or the same object if there are none. */
  value(value: JsonValue, path = '', program = ''): JsonValue {
    const chosen = this.#chosen(value, path);
    if (chosen !== undefined) return chosen;
    if (typeof value === 'string') return this.#text(value, path);
    if (Array.isArray(value)) return this.#list(value, path, program);
    return isObject(value) ? this.#object(value, path) : value;
  }

  #chosen(value: JsonValue, path: string): JsonValue | undefined {
    if (this.#keep.has(path)) return value;
    return path !== '' && this.#drop.has(path) ? this.redactor.dropped() : undefined;
  }

  /** Redacts a value below a secret name: all its texts and numbers are secrets. */
  #secret(value: JsonValue, kind: SecretKind, path: string): JsonValue {
    const chosen = this.#chosen(value, path);
    if (chosen !== undefined) return chosen;
    if (Array.isArray(value))
      return same(
        value,
        value.map((item) => this.#secret(item, kind, path)),
      );
    if (isObject(value))
      return this.#members(value, path, (key, member, at) =>
        this.#secret(member, secretKind(key) ?? kind, at),
      );
    if (typeof value === 'string') return this.redactor.secret(value, kind);
    // A number next to a name such as `tokens` is a count.
    const isNumber = typeof value === 'number' || value instanceof StoredNumber;
    return isNumber && kind !== 'token' ? this.redactor.secret(textOf(value), kind) : value;
  }

  #text(text: string, path: string): string {
    const isName = this.#names.has(text);
    const inner = isName ? undefined : jsonIn(text);
    const redacted = inner === undefined ? undefined : this.value(inner, path);
    // Readers of the inner JSON do not see the first value of a repeated key, so the text itself is redacted.
    if (redacted === undefined || redacted === inner) return this.redactor.redact(text, { isName });
    return writeJson(redacted, /\n( *)/.exec(text)?.[1]?.length ?? 0);
  }

  /** Redacts a list, which may be the words of a command or the arguments of a program. */
  #list(list: JsonValue[], path: string, program: string): JsonValue {
    const secrets = secretWords([program, ...list], isSecretHeader);
    return same(
      list,
      list.map((item, index) => {
        const { start, end, rule } = secrets.get(index + 1) ?? { start: 0, end: 0, rule: '' };
        if (typeof item !== 'string' || end === 0) return this.value(item, path);
        const secret = this.redactor.secret(item.slice(start, end), rule);
        return this.value(item.slice(0, start) + secret + item.slice(end), path);
      }),
    );
  }

  #object(object: JsonObject, path: string): JsonValue {
    const program = textIn(object['command'] ?? object['cmd'] ?? object['program'] ?? '');
    return this.#members(object, path, (key, member, at) => {
      const text = textIn(member);
      const kind = secretKindOf(key, text) ?? (HOLDING.has(key) ? kindOfPair(object, text) : undefined);
      return kind === undefined ? this.value(member, at, program) : this.#secret(member, kind, at);
    });
  }

  #members(
    object: JsonObject,
    path: string,
    redact: (key: string, member: JsonValue, path: string) => JsonValue,
  ): JsonValue {
    let changed = false;
    const entries = Object.entries(object).map(([key, member]): [string, JsonValue] => {
      const newKey = this.redactor.redact(key, { isName: this.#names.has(key) });
      const newMember = redact(key, member, path === '' ? key : `${path}.${key}`);
      changed ||= newKey !== key || newMember !== member;
      return [newKey, newMember];
    });
    return changed ? Object.fromEntries(entries) : object;
  }
}

/** A scalar as text, or the first of several numbers; empty for other values. */
function textIn(value: JsonValue): string {
  if (Array.isArray(value))
    return value.every((item) => /^\d{4,12}$/.test(scalarText(item))) ? scalarText(value[0] ?? '') : '';
  return scalarText(value);
}

const scalarText = (value: JsonValue): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** Returns the original list if no item changed. */
const same = (list: JsonValue[], items: JsonValue[]): JsonValue[] =>
  items.every((item, index) => item === list[index]) ? list : items;
