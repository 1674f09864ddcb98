import { EventError, type NoesisError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json/value.ts';
import type { Stamps } from './writing.ts';

const HINT = 'correct the event, and append it again; nothing was appended';

/** The error for an event that cannot be written. `index`: its position in the batch, from 0. */
export function invalidEvent(index: number, why: string, hint = HINT): NoesisError {
  return new EventError('event-invalid', `event ${index + 1} is not appended: ${why}`, { hint });
}

/** Throws `event-invalid` with all faults if an event does not fit a schema. */
export function requireFit(index: number, issues: readonly { readonly message: string }[]): void {
  if (issues.length > 0) throw invalidEvent(index, issues.map(({ message }) => message).join('; '));
}

/**
 * Throws `event-invalid` for an event that fits its format but that `verify` would report. With a reason to
 * append it anyway, returns the doubts as remarks.
 */
export function refuseDoubtful({ force }: Stamps, index: number, doubts: readonly string[]): string[] {
  if (force !== undefined)
    return doubts.map((doubt) => `event ${index + 1} is appended anyway (${force}): ${doubt}`);
  if (doubts.length === 0) return [];
  throw invalidEvent(
    index,
    doubts.join('; '),
    'correct the event, or append it unchanged with --force and a reason; nothing was appended',
  );
}

/** An event without undefined members, and without those of `names` that are null. */
export function withoutEmpty(event: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(event).filter(
      ([name, value]) => value !== undefined && !(value === null && names.includes(name)),
    ),
  );
}
