import { isNumber } from '../../base/json/stored-number.ts';
import { isObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { accepts, automatonOf } from '../../log/schema/automaton.ts';
import { type MemberPath, parsedAt, pathOf } from './paths.ts';
import type { Profile } from './profile.ts';

/** In bytes: longer texts match no pattern. */
const LONGEST = 4096;

/** A condition on one member. */
interface Condition {
  readonly path: MemberPath;
  readonly value: string | undefined;
  readonly pattern: RegExp | undefined;
}

function conditionOf(detect: string): Condition {
  const equals = detect.indexOf('=');
  if (equals === -1) return { path: pathOf(detect), value: undefined, pattern: undefined };
  const [name, value] = [detect.slice(0, equals), detect.slice(equals + 1)];
  const isPattern = value.startsWith('^');
  return {
    path: pathOf(name),
    value: isPattern ? undefined : value,
    pattern: isPattern ? new RegExp(value) : undefined,
  };
}

/** The text of a plain value; undefined for lists and objects. */
function plainText(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value;
  return isNumber(value) || typeof value === 'boolean' || value === null ? String(value) : undefined;
}

/** Whether a text matches. Not by a regex: one of a checkout could take forever. */
function matches(pattern: RegExp, text: string): boolean {
  const automaton = automatonOf(pattern);
  const bytes = Buffer.from(text);
  return automaton !== undefined && bytes.length <= LONGEST && accepts(automaton, bytes);
}

function holds({ path, value, pattern }: Condition, record: JsonObject): boolean {
  const found = parsedAt(record, path);
  if (found === undefined) return false;
  if (value === undefined && pattern === undefined) return true;
  const text = plainText(found);
  if (text === undefined) return false;
  return pattern === undefined ? text === value : matches(pattern, text);
}

/** Recognises the records of a profile by their members. */
export class Shape {
  readonly #conditions: readonly Condition[];
  readonly #where: readonly (readonly [path: MemberPath, value: string])[];
  readonly #each: MemberPath | undefined;

  constructor({ detect, where = {}, each, records }: Profile) {
    this.#conditions = detect.map(conditionOf);
    this.#where = Object.entries(where).map(([path, value]) => [pathOf(path), String(value)]);
    // In a document, the members are those of the document.
    this.#each = each === undefined || isMember(records) ? undefined : pathOf(each);
  }

  /** The number of members that it names. */
  get size(): number {
    return this.#conditions.length;
  }

  /** Whether a record has the members. */
  fits(record: JsonObject): boolean {
    if (!this.#where.every(([path, value]) => plainText(parsedAt(record, path)) === value)) return false;
    const inner = this.#each === undefined ? record : parsedAt(record, this.#each);
    return isObject(inner) && this.#conditions.every((one) => holds(one, inner));
  }
}

/** Whether the records of a profile are in a member of a document. */
export const isMember = (records: string | undefined): records is string =>
  records !== undefined && records !== '$';
