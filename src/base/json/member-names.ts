import { setMember } from './parse.ts';

/**
 * Members of which a name is not the program's own: the keys of a member's value are words of a log (`keys`), or the whole
 * value is stored data (`value`).
 */
export type StoredMembers = Readonly<Record<string, 'keys' | 'value'>>;

const NONE: StoredMembers = {};

/** A name of a member as JSON output has it. */
export const snakeCase = (name: string): string =>
  name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const camelCase = (name: string): string =>
  name.replaceAll(/(?<=[a-z0-9])_([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase());

/** Only plain objects have members of the program: an instance of a class prints itself. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function renamed(
  value: unknown,
  rename: (name: string) => string,
  stored: StoredMembers,
  own = true,
): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => renamed(item, rename, stored));
  if (!isPlain(value)) return value;
  const result: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const kind = own && Object.hasOwn(stored, name) ? stored[name] : undefined;
    const inner = kind === 'value' ? member : renamed(member, rename, stored, kind !== 'keys');
    setMember(result, own ? rename(name) : name, inner);
  }
  return result;
}

/** Spells each name once: a document of many rows repeats the few names of its members. */
function once(rename: (name: string) => string): (name: string) => string {
  const spelled = new Map<string, string>();
  return (name) => {
    const known = spelled.get(name);
    if (known !== undefined) return known;
    const fresh = rename(name);
    spelled.set(name, fresh);
    return fresh;
  };
}

/** The value with the names of JSON output, such as `duration_ms` for `durationMs`. */
export const inSnakeCase = (value: unknown, stored: StoredMembers = NONE): unknown =>
  renamed(value, once(snakeCase), stored);

/** The value of a JSON output with the names that the program uses, such as `durationMs` for `duration_ms`. */
export const inCamelCase = (value: unknown, stored: StoredMembers = NONE): unknown =>
  renamed(value, once(camelCase), stored);
