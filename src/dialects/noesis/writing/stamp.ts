import { isObject, type JsonObject, type JsonValue } from '../../../base/json/value.ts';
import { parseInstant } from '../../../base/time/instant.ts';
import { stringIn } from '../../kit/members.ts';
import { withoutEmpty } from '../../kit/refuse-event.ts';
import type { Stamps } from '../../kit/writing.ts';
import { FACULTIES, isOneOf } from '../event/vocabulary.ts';

/** Members for which the published event schema does not allow null. */
const NEVER_NULL = ['agent_id', 'caused_by', 'metrics', 'event_type', 'faculty', 'timestamp', 'id'];

/** A time as Python prints it: with microseconds, unless they are zero. */
export function pythonTime(ms: number): string {
  const text = new Date(ms).toISOString().slice(0, -1);
  return `${text.endsWith('.000') ? text.slice(0, -4) : `${text}000`}+00:00`;
}

/** What the log says before the event. */
interface Before {
  readonly episode: string | undefined;
  /** The time of the last event. */
  readonly time: string | undefined;
}

/**
 * The time of an event: as given, else that of its completion, else the current time, but not before the previous event
 * (docs/formats/noesis.md §2.1).
 */
function timeOf(event: JsonObject, { time: last }: Before, { now }: Stamps): JsonValue {
  const { metrics, timestamp } = event;
  const given = timestamp ?? (isObject(metrics) ? stringIn(metrics, 'completed_at') : undefined);
  if (given !== undefined) return given;
  const time = pythonTime(now);
  const before = last === undefined ? undefined : parseInstant(last);
  return last === undefined || before === undefined || now >= before ? time : last;
}

/** Adds the members that the runtime gives every event: id, time, episode, evidence and faculty. */
export function stamped(event: JsonObject, before: Before, stamps: Stamps): JsonObject {
  const own = withoutEmpty(event, NEVER_NULL);
  const { phase, episode_id: episode = before.episode } = own;
  return {
    ...own,
    ...(episode !== undefined && { episode_id: episode }),
    id: own['id'] ?? stamps.newId(),
    evidence_ids: own['evidence_ids'] ?? [],
    timestamp: timeOf(own, before, stamps),
    ...(own['faculty'] === undefined && isOneOf(FACULTIES, phase) && { faculty: phase }),
  };
}
