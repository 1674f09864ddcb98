import { EventError, type NoesisError } from '../errors.ts';
import type { SchemaIssue } from '../findings/schema-issues.ts';
import type { JsonObject } from '../json/value.ts';

const HINT = 'nothing was appended: mend the event, and append it again';

/** That an event cannot be written, and why. `index`: which of its batch it is, from 0. */
export function invalidEvent(index: number, why: string, hint = HINT): NoesisError {
  return new EventError('event-invalid', `event ${index + 1} is not appended: ${why}`, { hint });
}

/** Throws `event-invalid` where an event does not fit a schema, with all that does not. */
export function requireFit(index: number, issues: readonly SchemaIssue[]): void {
  if (issues.length > 0) throw invalidEvent(index, issues.map(({ message }) => message).join('; '));
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
