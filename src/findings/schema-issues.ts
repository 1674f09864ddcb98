import type * as z from 'zod';
import { formatPath, valueAt } from '../base/json/path.ts';
import { kindOf } from '../base/json/value.ts';
import { named, ticked } from '../base/json/write.ts';
import { fits } from '../log/schema/fits.ts';
import { misfits } from '../log/schema/misfits.ts';

type RawIssue = z.core.$ZodIssue;

/** The kind of rule that a value breaks: its type, its allowed words, its range, or its pattern. */
export type BrokenRule = 'type' | 'words' | 'range' | 'pattern';

/** A place where a value does not fit a schema, worded for a message. */
export interface SchemaIssue {
  readonly path: readonly (string | number)[];
  readonly rule: BrokenRule;
  /** The value is absent. */
  readonly missing: boolean;
  readonly expected: string;
  /** The kind of the value, or the word itself if only certain words are allowed. */
  readonly actual: string;
  /** `payload.task is missing`, `id must be a string, is a number`. */
  readonly message: string;
}

const ARTICLE = /^[aeiou]/;

function kind(name: string): string {
  const word = name === 'record' ? 'object' : name === 'int' ? 'integer' : name;
  return `${ARTICLE.test(word) ? 'an' : 'a'} ${word}`;
}

/** Formats that zod only calls invalid. */
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
      // A schema with a custom message keeps it.
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

/** The value that is too small or too big, or its length. */
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

/** The kind of the value, or the value itself if the kind is right or only certain words are allowed. */
function describeActual(issue: RawIssue, expected: string, value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a number that is too large';
  const isWord = issue.code === 'invalid_value' || issue.code === 'invalid_format';
  if (isWord && typeof value !== 'object') return ticked(String(value));
  return typeof value === 'number' && expected === 'an integer' ? String(value) : kind(kindOf(value));
}

function issueAt(issue: RawIssue, value: unknown): SchemaIssue {
  // JSON keys are never symbols.
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
      ? `${name} has unknown keys: ${issue.keys.map(named).join(', ')}`
      : `${name} must be ${expected}, is ${actual}`;
  return { path, rule, missing, expected, actual: missing ? 'nothing' : actual, message };
}

/**
 * For a union, chooses the issues of the only branch that has the value's kind. A union of kinds alone gives
 * one issue.
 */
function chosen(issue: RawIssue): readonly RawIssue[] {
  const meant = issue.code === 'invalid_union' ? issue.errors.filter((branch) => branch[0]?.path.length) : [];
  const [branch] = meant;
  if (branch === undefined || meant.length > 1) return [issue];
  return branch.flatMap((inner) => chosen({ ...inner, path: [...issue.path, ...inner.path] }));
}

/** zod also measures values of the wrong type, so only the first issue of a place counts. */
function isFirstAtItsPlace({ path }: RawIssue, index: number, issues: readonly RawIssue[]): boolean {
  const before = issues[index - 1];
  return before === undefined || before.code !== 'invalid_type' || before.path.join('\n') !== path.join('\n');
}

/** The ways in which a value does not fit a schema. `base` is the prefix of each path. */
export function schemaIssues(
  schema: z.ZodType,
  value: unknown,
  base: readonly (string | number)[] = [],
): SchemaIssue[] {
  if (fits(schema, value)) return [];
  const rooted = base.reduceRight<unknown>((inner, segment) => ({ [segment]: inner }), value);
  const found: SchemaIssue[] = [];
  for (const { path, issues } of misfits(schema, value, base)) {
    for (const issue of issues.filter(isFirstAtItsPlace).flatMap(chosen))
      found.push(issueAt({ ...issue, path: [...path, ...issue.path] }, rooted));
  }
  return found;
}
