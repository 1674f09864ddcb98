import { UsageError } from '../../base/errors.ts';
import { formatPath, type JsonPath, parsePath } from '../../base/json/path.ts';
import { canonicalNumber, isNumber, type StoredNumber } from '../../base/json/stored-number.ts';
import { isObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { INCIDENTAL } from '../../base/text/incidental.ts';

/** The parts to leave out of a comparison. */
export interface ContentRules {
  /** Paths in events and states; `*` matches any key or index. Everything below is left out too. */
  readonly ignore: readonly string[];
  /** Also compare durations. */
  readonly durations: boolean;
  /** Leave out only `ignore`; compare ids, times and digests too. */
  readonly exact: boolean;
}

/** A place where two values differ. A side without a value is left out. */
export interface FieldDifference {
  readonly path: string;
  readonly a?: unknown;
  readonly b?: unknown;
}

const MARK = '\u0000';
const DIGIT = /\d/;

/** The meaning of a member, known from its name. Only plain members say what a run did. */
type Meaning = 'plain' | 'id' | 'time' | 'duration';

const ID_NAME =
  /^(?:(?:episode|run|session|stream|correlation|causation|conversation|thread|request|message|trace|span|parent|call|event|tool_use|tool_call)_?(?:id|uuid)s?|uuid|parent_uuid|caused_by|idempotency_?key|_?(?:event_)?(?:sequence|seq))$/;
const TIME_NAME = /^(?:timestamp|time|ts|date|.*_(?:at|time|timestamp))$/;
const DURATION_NAME =
  /^(?:.*_)?(?:duration|elapsed|latency|took|wall_time)(?:_?(?:ms|s|secs?|seconds|us|ns|millis))?$/;

function meaningOf(name: string): Meaning {
  const words = name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase();
  if (ID_NAME.test(words)) return 'id';
  if (DURATION_NAME.test(words)) return 'duration';
  return TIME_NAME.test(words) ? 'time' : 'plain';
}

/** The size of the cache of names; a trace may have any number. */
const MOST_NAMES = 10_000;

/** The ids of a run or event. They count as ids wherever their text occurs. */
type OwnNames = ReadonlySet<string>;

const NO_NAMES: OwnNames = new Set();

/** Members with the id of the run, and how many different ones are kept. */
const RUN_NAME = /^(?:episode|run|session|stream|workflow)_?(?:id|uuid)$/i;
const MOST_RUN_NAMES = 100;

function patternOf(text: string): JsonPath {
  const path = parsePath(text);
  if (path !== undefined && path.length > 0) return path;
  throw new UsageError('usage', `${JSON.stringify(text)} is not a path`, {
    hint: 'give dotted names, as in --ignore payload.input_excerpt or --ignore payload.steps.*.rationale',
  });
}

/** The paths to ignore below a place; undefined if the place itself is ignored. */
type Ignored = readonly JsonPath[];

const NOTHING: Ignored = [];

function below(ignored: Ignored, segment: string | number): Ignored | undefined {
  if (ignored.length === 0) return NOTHING;
  const fitting = ignored.filter(([head]) => head === '*' || String(head) === String(segment));
  return fitting.some(({ length }) => length === 1) ? undefined : fitting.map(([, ...rest]) => rest);
}

/** The sorted keys of an object. Writers mostly keep one order, so sorting is rarely needed. */
function sortedKeys(value: JsonObject): string[] {
  const keys = Object.keys(value);
  let before = '';
  for (const key of keys) {
    if (before > key) return keys.sort();
    before = key;
  }
  return keys;
}

/** Two values at the same place, and where to report their differences. */
interface Pair {
  readonly a: unknown;
  readonly b: unknown;
  readonly ownA: OwnNames;
  readonly ownB: OwnNames;
  readonly path: (string | number)[];
  readonly found: FieldDifference[];
}

/** The content of events or states, without what differs between any two runs. */
export class Content {
  readonly #rules: ContentRules;
  readonly #ignored: Ignored;
  readonly #meanings = new Map<string, Meaning>();

  /** Throws `usage` for an invalid path. */
  constructor(rules: ContentRules) {
    this.#rules = rules;
    this.#ignored = rules.ignore.map(patternOf);
  }

  /**
   * The ids at the root of an event, and those its dialect knows. They count as ids wherever their text
   * occurs.
   */
  ownNames(event: JsonObject, ...given: readonly (string | undefined)[]): OwnNames {
    if (this.#rules.exact) return NO_NAMES;
    const names = new Set(given.filter((name) => name !== undefined));
    for (const [key, value] of Object.entries(event))
      if (typeof value === 'string' && value !== '' && this.#meaning(key) === 'id') names.add(value);
    return names;
  }

  /** Adds the ids of the run that an event names: each event repeats them. */
  addRunNames(event: JsonObject, names: Set<string>): void {
    if (this.#rules.exact) return;
    for (const [key, value] of Object.entries(event))
      if (typeof value === 'string' && value !== '' && names.size < MOST_RUN_NAMES && RUN_NAME.test(key))
        names.add(value);
  }

  /** Replaces incidental parts of a text. */
  text(text: string, own: OwnNames = NO_NAMES): string {
    if (this.#rules.exact) return text;
    if (own.has(text)) return MARK;
    return DIGIT.test(text) ? text.replace(INCIDENTAL, MARK) : text;
  }

  /** A text for a value. Two values have the same text if {@link differences} finds none. */
  canonical(value: JsonValue, own: OwnNames): string {
    return this.#canonical(value, own, 'plain', this.#ignored);
  }

  /** Yields the smallest parts in which two values differ. */
  differences(a: unknown, b: unknown, ownA: OwnNames, ownB: OwnNames): FieldDifference[] {
    const found: FieldDifference[] = [];
    this.#compare({ a, b, ownA, ownB, found, path: [] }, 'plain', this.#ignored);
    return found;
  }

  // Runs for every value of two logs: allocates no objects, and prefixes texts with their length instead of
  // quoting them, which takes a quarter of the time.
  #canonical(value: JsonValue, own: OwnNames, meaning: Meaning, ignored: Ignored): string {
    if (typeof value === 'string') {
      const text = meaning === 'id' && !this.#rules.exact ? MARK : this.text(value, own);
      return `${text.length}"${text}`;
    }
    if (typeof value !== 'object' || value === null || isNumber(value)) return this.#scalar(value, meaning);
    let text = '';
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        const inner = below(ignored, index);
        if (inner) text += `${index}:${this.#canonical(item, own, meaning, inner)},`;
      }
      return `[${text}]`;
    }
    for (const key of sortedKeys(value)) {
      const inner = below(ignored, key);
      if (inner)
        text += `${key.length}"${key}:${this.#canonical(value[key] ?? null, own, this.#meaning(key), inner)},`;
    }
    return `{${text}}`;
  }

  #scalar(value: null | boolean | number | StoredNumber, meaning: Meaning): string {
    if (!isNumber(value)) return String(value);
    const isLeftOut =
      meaning === 'duration' ? !this.#rules.durations : meaning !== 'plain' && !this.#rules.exact;
    return isLeftOut ? MARK : canonicalNumber(value);
  }

  #compare(pair: Pair, meaning: Meaning, ignored: Ignored): void {
    const { a, b, path, found } = pair;
    const step = (segment: string | number, ours: unknown, theirs: unknown, what: Meaning): void => {
      const inner = below(ignored, segment);
      if (!inner) return;
      path.push(segment);
      this.#compare({ ...pair, a: ours, b: theirs }, what, inner);
      path.pop();
    };
    if (isObject(a) && isObject(b)) {
      for (const key of Object.keys(a))
        step(key, a[key], Object.hasOwn(b, key) ? b[key] : undefined, this.#meaning(key));
      for (const key of Object.keys(b))
        if (!Object.hasOwn(a, key)) step(key, undefined, b[key], this.#meaning(key));
    } else if (Array.isArray(a) && Array.isArray(b)) {
      for (let index = 0; index < Math.max(a.length, b.length); index += 1)
        step(index, a[index], b[index], meaning);
    } else {
      const side = (value: unknown, own: OwnNames) =>
        value === undefined ? undefined : this.#canonical(value as JsonValue, own, meaning, ignored);
      if (side(a, pair.ownA) === side(b, pair.ownB)) return;
      found.push({ path: formatPath(path), ...(a !== undefined && { a }), ...(b !== undefined && { b }) });
    }
  }

  #meaning(name: string): Meaning {
    const known = this.#meanings.get(name);
    if (known !== undefined) return known;
    const meaning = meaningOf(name.slice(0, 64));
    if (this.#meanings.size < MOST_NAMES) this.#meanings.set(name, meaning);
    return meaning;
  }
}

/** For texts without times, ids and digests. */
export const LOOSE = new Content({ ignore: [], durations: false, exact: false });
