import type { JsonObject } from '../../base/json/value.ts';
import { named } from '../../base/json/write.ts';
import { parseInstant } from '../../base/time/instant.ts';
import { severitiesOf } from '../../findings/catalogue-severities.ts';
import { schemaIssues } from '../../findings/schema-issues.ts';
import { stringIn } from '../kit/members.ts';
import { invalidEvent, requireFit } from '../kit/refuse-event.ts';
import { objections } from '../kit/rules.ts';
import { keyedMemory, type LogWriter } from '../kit/writer.ts';
import type { Stamps, Writing } from '../kit/writing.ts';
import { COORDINATOR } from './catalogue.ts';
import { conflictDoubts, contentDoubts } from './content.ts';
import { Numbers } from './numbers.ts';
import { planEvent } from './plan-event.ts';
import { hasOffset, LOG_FILE, readEvent } from './read.ts';
import { RULES } from './rules.ts';
import { RunReader } from './run-reader.ts';
import { eventSchema } from './schema/event.ts';
import { ENVELOPE } from './vocabulary.ts';

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

const SEVERITIES = severitiesOf(COORDINATOR);

/** The state of a log for the next event. */
class PlanWriter implements LogWriter {
  #numbers = new Numbers();
  #session: string | undefined;
  /** The time of the last event. */
  #last: string | undefined;
  /** The last time with an offset, and the last without: these cannot be compared. */
  #times: ReadonlyMap<boolean, string> = new Map();
  readonly #reader: RunReader;

  constructor(reader = new RunReader()) {
    this.#reader = reader;
  }

  get sequence(): number {
    return this.#numbers.top;
  }

  copy(): PlanWriter {
    const copy = new PlanWriter(this.#reader.copy());
    copy.#numbers = this.#numbers.copy();
    copy.#session = this.#session;
    copy.#last = this.#last;
    copy.#times = this.#times;
    return copy;
  }

  take(stored: JsonObject, line: number): void {
    const { sequence, session_id: session } = stored;
    // Events without a number count.
    const number = typeof sequence === 'number' ? sequence : this.sequence + 1;
    this.#numbers.take(number, session, line);
    this.#session = stringIn(stored, 'session_id') ?? this.#session;
    const time = stringIn(stored, 'timestamp');
    if (time !== undefined && parseInstant(time) !== undefined) {
      this.#last = time;
      this.#times = new Map(this.#times).set(hasOffset(time), time);
    }
    this.#reader.take(stored, line);
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
    const { sequence, session_id: session } = event;
    if (this.#numbers.fault(sequence as number, session) !== undefined)
      throw invalidEvent(index, `the next sequence is ${this.sequence + 1}`);
    const time = stringIn(event, 'timestamp') ?? '';
    const before = this.#times.get(hasOffset(time));
    if (before !== undefined && isBefore(time, before))
      throw invalidEvent(
        index,
        `its time is ${named(time)}, but an earlier event has the later time ${named(before)}`,
      );
    return [];
  }

  doubts(stored: JsonObject): string[] {
    const event = readEvent(stored);
    if (event === undefined) return [];
    const { run } = this.#reader;
    const doubts = [
      ...conflictDoubts(stored),
      ...contentDoubts(event),
      ...RULES.doubts(event.type, planEvent(event, run), run),
    ];
    return objections(doubts, SEVERITIES);
  }

  /** The current time, in the form of the previous event: times with and without offset cannot be compared. */
  #now({ now: ms }: Stamps): string {
    const before = this.#last;
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
