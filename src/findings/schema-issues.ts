import type * as z from 'zod';
import { formatPath, valueAt } from '../json/path.ts';
import { kindOf } from '../json/value.ts';
import { fits } from '../schema/fits.ts';
import { misfits } from '../schema/misfits.ts';

type RawIssue = z.core.$ZodIssue;

/** What kind of rule a value breaks: its type, its words, its range, or the pattern of its text. */
export type BrokenRule = 'type' | 'words' | 'range' | 'pattern';

/** One way in which a value does not fit a schema, in our own words. */
export interface SchemaIssue {
  readonly path: readonly (string | number)[];
  readonly rule: BrokenRule;
  /** The value is not there at all. */
  readonly missing: boolean;
  readonly expected: string;
  /** The kind of what is there, or the word itself where only certain words may stand. */
  readonly actual: string;
  /** `payload.task is missing`, `id must be a string, is a number`. */
  readonly message: string;
}

const ARTICLE = /^[aeiou]/;

function kind(name: string): string {
  const word = name === 'record' ? 'object' : name === 'int' ? 'integer' : name;
  return `${ARTICLE.test(word) ? 'an' : 'a'} ${word}`;
}

/** What zod only calls invalid. */
const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'an ISO 8601 time in UTC, such as 2026-01-31T12:00:00Z',
  uuid: 'a UUID',
};

function expectation(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return kind(issue.expected);
    case 'invalid_value':
      return issue.values.length === 1
        ? `\`${String(issue.values[0])}\``
        : `one of ${issue.values.join(', ')}`;
    case 'too_small':
      return issue.minimum === 1 && issue.origin === 'string'
        ? 'a non-empty string'
        : `at least ${issue.minimum}`;
    case 'too_big':
      return `at most ${issue.maximum}`;
    case 'unrecognized_keys':
      return 'no other keys';
    case 'invalid_format':
      // A schema that says in words what it expects has its own message.
      return issue.message.startsWith('Invalid ') ? (FORMATS[issue.format] ?? issue.message) : issue.message;
    case 'invalid_union': {
      const kinds = issue.errors.flatMap((branch) => branch.slice(0, 1).map(expectation));
      return [...new Set(kinds)].join(' or ') || 'another type';
    }
    default:
      return issue.message;
  }
}

const counted = (count: number, one: string, many: string): string =>
  count === 0 ? 'empty' : count === 1 ? `1 ${one}` : `${count} ${many}`;

/** A value that is too small or too big: itself, or how long it is. */
function measure(value: unknown): string {
  if (typeof value === 'string') return counted(value.length, 'character', 'characters');
  return Array.isArray(value) ? counted(value.length, 'entry', 'entries') : String(value);
}

function brokenRule(issue: RawIssue, value: unknown): BrokenRule {
  switch (issue.code) {
    case 'invalid_value':
      return typeof value === 'string' ? 'words' : 'type';
    case 'too_small':
    case 'too_big':
      return 'range';
    case 'invalid_format':
      return 'pattern';
    default:
      return 'type';
  }
}

/** What is there instead: its kind, or itself where the kind is as expected or only certain words may stand. */
function describeActual(issue: RawIssue, expected: string, value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a number that is too large for one';
  const isWord = issue.code === 'invalid_value' || issue.code === 'invalid_format';
  if (isWord && typeof value !== 'object') return `\`${String(value)}\``;
  return typeof value === 'number' && expected === 'an integer' ? String(value) : kind(kindOf(value));
}

function issueAt(issue: RawIssue, value: unknown): SchemaIssue {
  // JSON has no symbols for keys.
  const path = issue.path as (string | number)[];
  const actualValue = valueAt(value, path);
  const missing = actualValue === undefined;
  const expected = expectation(issue);
  const name = formatPath(path) || 'the document';
  const rule = brokenRule(issue, actualValue);
  const actual = rule === 'range' ? measure(actualValue) : describeActual(issue, expected, actualValue);
  const message = missing
    ? `${name} is missing`
    : issue.code === 'unrecognized_keys'
      ? `${name} has keys that do not belong there: ${issue.keys.join(', ')}`
      : `${name} must be ${expected}, is ${actual}`;
  return { path, rule, missing, expected, actual: missing ? 'nothing' : actual, message };
}

/**
 * Of a union that a value does not fit, the issues of the branch that the value is meant for: the only one whose own
 * kind it has. A union of kinds alone is one issue.
 */
function* chosen(issue: RawIssue): Generator<RawIssue> {
  const meant = issue.code === 'invalid_union' ? issue.errors.filter((branch) => branch[0]?.path.length) : [];
  const [branch] = meant;
  if (branch === undefined || meant.length > 1) yield issue;
  else for (const inner of branch) yield* chosen({ ...inner, path: [...issue.path, ...inner.path] });
}

/** A value of the wrong type may be too short as well: zod measures whatever has a length. */
function isFirstAtItsPlace({ path }: RawIssue, index: number, issues: readonly RawIssue[]): boolean {
  const before = issues[index - 1];
  return before === undefined || before.code !== 'invalid_type' || before.path.join('\n') !== path.join('\n');
}

/** The ways in which a value does not fit a schema; none when it fits. `base` is put before each path. */
export function schemaIssues(
  schema: z.ZodType,
  value: unknown,
  base: readonly (string | number)[] = [],
): SchemaIssue[] {
  if (fits(schema, value)) return [];
  const rooted = base.reduceRight<unknown>((inner, segment) => ({ [segment]: inner }), value);
  const found: SchemaIssue[] = [];
  for (const { path, issues } of misfits(schema, value, base)) {
    for (const issue of issues.filter(isFirstAtItsPlace).flatMap((one) => [...chosen(one)]))
      found.push(issueAt({ ...issue, path: [...path, ...issue.path] }, rooted));
  }
  return found;
}
