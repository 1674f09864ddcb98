import type { JsonObject } from '../../../base/json/value.ts';
import { named } from '../../../base/json/write.ts';
import { parseInstant } from '../../../base/time/instant.ts';
import { schemaIssues } from '../../../findings/schema-issues.ts';
import { stringIn } from '../../kit/excerpt.ts';
import { invalidEvent, requireFit } from '../../kit/refuse-event.ts';
import { keyedMemory, type LogWriter } from '../../kit/writer.ts';
import type { Stamps, Writing } from '../../kit/writing.ts';
import { type CoordinatorEvent, hasOffset, LOG_FILE, readEvent } from '../read.ts';
import { eventSchema } from '../schema/event.ts';
import { ENVELOPE } from '../vocabulary.ts';
import { contentDoubts, PlanSoFar } from './doubts.ts';

/** Types that open a session. They may have a new id. */
const OPENING = ['session_start', 'session_resumed'];

const KEY = 'idempotencyKey';

/** A local time without offset, in microseconds, as the reference writer has it. */
function localTime(ms: number): string {
  const shifted = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000);
  return `${shifted.toISOString().slice(0, -1)}000`;
}

/** Whether a time is before another; false if one is invalid. */
function isBefore(time: string, other: string): boolean {
  const [at, otherAt] = [parseInstant(time), parseInstant(other)];
  return at !== undefined && otherAt !== undefined && at < otherAt;
}

/** The state of a log for the next event. */
class PlanWriter implements LogWriter {
  sequence = 0;
  #session: string | undefined;
  #time: string | undefined;
  #plan = new PlanSoFar();

  copy(): PlanWriter {
    const copy = new PlanWriter();
    copy.sequence = this.sequence;
    copy.#session = this.#session;
    copy.#time = this.#time;
    copy.#plan = this.#plan.copy();
    return copy;
  }

  take(event: JsonObject): void {
    const { sequence } = event;
    // Events without a number count. A new session may begin at 1.
    this.sequence = typeof sequence === 'number' ? sequence : this.sequence + 1;
    this.#session = stringIn(event, 'session_id') ?? this.#session;
    this.#time = stringIn(event, 'timestamp') ?? this.#time;
    this.#plan.take(event);
  }

  complete(given: JsonObject, stamps: Stamps, index: number): JsonObject {
    const type = stringIn(given, 'event_type') ?? '';
    if (type === '' && given['event'] !== undefined)
      throw invalidEvent(index, 'the type is in `event`; it belongs in `event_type`');
    const flat = Object.keys(given).filter((key) => key !== KEY && !ENVELOPE.has(key));
    if (flat.length > 0) throw invalidEvent(index, `${flat.map(named).join(', ')} belongs in details`);
    const fresh = OPENING.includes(type) ? stamps.newId() : undefined;
    return {
      timestamp: given['timestamp'] ?? this.#now(stamps),
      sequence: given['sequence'] ?? this.sequence + 1,
      session_id: given['session_id'] ?? fresh ?? this.#session ?? null,
      event_type: given['event_type'] ?? null,
      agent_id: given['agent_id'] ?? null,
      task_id: given['task_id'] ?? null,
      details: given['details'] ?? {},
      ...(given[KEY] !== undefined && { [KEY]: given[KEY] }),
    };
  }

  check(event: JsonObject, index: number): string[] {
    requireFit(index, schemaIssues(eventSchema, event));
    const next = this.sequence + 1;
    if (event['sequence'] !== next) throw invalidEvent(index, `the next sequence is ${next}`);
    const [time = '', before] = [stringIn(event, 'timestamp'), this.#time];
    const isSameClock = before !== undefined && hasOffset(time) === hasOffset(before);
    if (isSameClock && isBefore(time, before))
      throw invalidEvent(
        index,
        `its time is ${named(time)}, but the previous event has the later time ${named(before)}`,
      );
    return [];
  }

  doubts(stored: JsonObject): string[] {
    // An event that fits its schema has a type.
    const event = readEvent(stored) as CoordinatorEvent;
    return [...contentDoubts(event), ...this.#plan.doubts(event)];
  }

  /** The current time, in the form of the previous event: times with and without offset cannot be compared. */
  #now({ now: ms }: Stamps): string {
    const before = this.#time;
    const utc = new Date(ms).toISOString();
    if (before === undefined) return utc;
    const now = hasOffset(before) ? utc : localTime(ms);
    return isBefore(now, before) ? before : now;
  }
}

/** Appends to the log of a plan as a coordinator does (coordinator.md §1, §2). */
export const coordinatorWriting: Writing = {
  usualName: LOG_FILE,
  memory: () => keyedMemory({ name: KEY }, new PlanWriter()),
};
