import { isObject, type JsonObject } from '../../../base/json/value.ts';
import { named, writeJson } from '../../../base/json/write.ts';
import { parseInstant } from '../../../base/time/instant.ts';
import { stringIn } from '../../kit/excerpt.ts';
import { invalidEvent, withoutEmpty } from '../../kit/refuse-event.ts';
import type { Stamps } from '../../kit/writing.ts';
import { FACULTIES, isOneOf } from '../model/vocabulary.ts';

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
 * The time of an event: that of its completion, but not before the previous event (docs/formats/noesis.md §2.1). A given
 * time is kept or refused. The current time is replaced by that of the last event if that is later.
 */
function timeOf(event: JsonObject, index: number, { time: last }: Before, { now }: Stamps): string {
  const { metrics } = event;
  const completed = isObject(metrics) ? stringIn(metrics, 'completed_at') : undefined;
  const given = stringIn(event, 'timestamp') ?? completed;
  if (given !== undefined && completed !== undefined && parseInstant(given) !== parseInstant(completed))
    throw invalidEvent(
      index,
      `timestamp is ${named(given)}, but metrics.completed_at is ${named(completed)}`,
    );
  const time = given ?? pythonTime(now);
  const [own, before] = [parseInstant(time), last === undefined ? undefined : parseInstant(last)];
  if (own === undefined || before === undefined || own >= before || last === undefined) return time;
  if (given === undefined) return last;
  throw invalidEvent(
    index,
    `its time is ${named(time)}, but the previous event has the later time ${named(last)}`,
    'nothing was appended: correct the time, or leave it out to use the current time',
  );
}

/** Adds the members that the runtime gives every event: id, time, episode, evidence and faculty. */
export function stamped(event: JsonObject, index: number, before: Before, stamps: Stamps): JsonObject {
  const own = withoutEmpty(event, NEVER_NULL);
  const { phase, episode_id: episode = before.episode } = own;
  if (own['timestamp'] !== undefined && typeof own['timestamp'] !== 'string')
    throw invalidEvent(index, 'timestamp must be a string');
  if (before.episode !== undefined && episode !== before.episode) {
    throw invalidEvent(
      index,
      `it belongs to the episode ${writeJson(episode)}, but the log to ${writeJson(before.episode)}`,
    );
  }
  return {
    ...own,
    ...(episode !== undefined && { episode_id: episode }),
    id: own['id'] ?? stamps.newId(),
    evidence_ids: own['evidence_ids'] ?? [],
    timestamp: timeOf(own, index, before, stamps),
    ...(own['faculty'] === undefined && isOneOf(FACULTIES, phase) && { faculty: phase }),
  };
}
