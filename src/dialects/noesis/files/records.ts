import { createHash } from 'node:crypto';
import type * as z from 'zod';
import { named, textOf } from '../../../base/json/write.ts';
import type { EventReporter, LoggedEvent } from '../../../findings/check.ts';
import { schemaIssues } from '../../../findings/schema-issues.ts';
import { fits } from '../../../log/schema/fits.ts';
import { strippedRange } from '../../../log/strip.ts';
import type { NamedEpisode } from '../course/course.ts';
import { learnSchema, legacyLearnSchema, promptSchema } from './schemas.ts';

function checkSchema(logged: LoggedEvent, report: EventReporter, schema: z.ZodType): boolean {
  const issues = schemaIssues(schema, logged.event);
  for (const { path, message, expected, actual } of issues) {
    report.at(logged, { code: 'artifact/schema', message, path, expected, actual });
  }
  return issues.length === 0;
}

/** Checks that a record belongs to the log's episode (noesis.md §8.5). */
export function checkOwner(
  { record, event, line, id }: LoggedEvent,
  report: EventReporter,
  episode: NamedEpisode | undefined,
): void {
  const { episode_id: actual } = event;
  const expected = episode?.value;
  if (expected === undefined || typeof actual !== 'string' || actual === expected) return;
  const message = `the record is of episode ${JSON.stringify(actual)}; the log is of ${JSON.stringify(expected)}`;
  const remark = { code: 'consistency/episode-id', message, path: ['episode_id'] } as const;
  report.at({ record, event, line, id }, { ...remark, expected, actual });
}

/** Checks a record of learn.jsonl, in the current form or that of early demos (noesis.md §8.2). */
export function checkLearnRecord(logged: LoggedEvent, report: EventReporter): void {
  checkSchema(logged, report, fits(legacyLearnSchema, logged.event) ? legacyLearnSchema : learnSchema);
}

/** Strips a text as Python's `strip()` does. */
function stripped(text: string): string {
  const bytes = Buffer.from(text);
  const { start, end } = strippedRange(bytes, 0, bytes.length);
  return bytes.toString('utf8', start, end);
}

/** The fingerprint of a prompt's text: line ends unified, each line and the whole stripped (noesis.md §8.3). */
function promptFingerprint(rendered: string): string {
  const lines = rendered.replaceAll('\r\n', '\n').split('\n');
  const text = stripped(lines.map((line) => stripped(`|${line}`).slice(1)).join('\n'));
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

const REDACTED = '__redacted__';
const TEXTS = ['rendered', 'template'] as const;

/**
 * Checks a record of prompts.jsonl: its schema, the fields that its mode allows, and its fingerprint
 * (noesis.md §8.3).
 */
export function checkPromptRecord(logged: LoggedEvent, report: EventReporter): void {
  if (!checkSchema(logged, report, promptSchema)) return;
  const { mode, rendered, variables, fingerprint } = logged.event;
  const say = (message: string, key: string) =>
    report.at(logged, { code: 'artifact/schema', message, path: [key] });
  for (const key of TEXTS) {
    const value = logged.event[key];
    if (typeof value !== 'string') continue;
    if (mode === 'hash_only') say(`a hash_only prompt must not contain its ${key}`, key);
    if (mode === 'redacted' && value !== REDACTED)
      say(`${key} of a redacted prompt must be ${REDACTED}`, key);
  }
  if (mode !== 'full' && variables !== undefined && variables !== null)
    say(`a ${named(mode)} prompt must not contain its variables`, 'variables');
  if (mode !== 'full' || typeof rendered !== 'string' || promptFingerprint(rendered) === fingerprint) return;
  report.at(logged, {
    code: 'artifact/fingerprint',
    message: 'the fingerprint does not match the rendered text',
    path: ['fingerprint'],
    expected: promptFingerprint(rendered),
    actual: textOf(fingerprint),
  });
}
