import { EventError, type NoesisError } from '../errors.ts';
import type { SchemaIssue } from '../findings/schema-issues.ts';
import type { JsonObject } from '../json/value.ts';
import type { Stamps } from './writing.ts';

const HINT = 'nothing was appended: mend the event, and append it again';

/** That an event cannot be written, and why. `index`: which of its batch it is, from 0. */
export function invalidEvent(index: number, why: string, hint = HINT): NoesisError {
  return new EventError('event-invalid', `event ${index + 1} is not appended: ${why}`, { hint });
}

/** Throws `event-invalid` where an event does not fit a schema, with all that does not. */
export function requireFit(index: number, issues: readonly SchemaIssue[]): void {
  if (issues.length > 0) throw invalidEvent(index, issues.map(({ message }) => message).join('; '));
}

/**
 * Throws `event-invalid` for an event that fits its format and that `verify` would report, with all the doubts. With a
 * reason to append it all the same, gives them as remarks.
 */
export function refuseDoubtful({ force }: Stamps, index: number, doubts: readonly string[]): string[] {
  if (force !== undefined)
    return doubts.map((doubt) => `event ${index + 1} is appended all the same (${force}): ${doubt}`);
  if (doubts.length === 0) return [];
  throw invalidEvent(
    index,
    doubts.join('; '),
    'nothing was appended: correct the event, or append it as it is with --force and a reason',
  );
}

/** An event without the members that say nothing. */
export function withoutEmpty(event: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(event).filter(
      ([name, value]) => value !== undefined && !(value === null && names.includes(name)),
    ),
  );
}

/** A member that is a text. */
export function textIn(event: JsonObject, name: string): string | undefined {
  const value = event[name];
  return typeof value === 'string' ? value : undefined;
}
