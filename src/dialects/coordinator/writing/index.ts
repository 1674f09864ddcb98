import { schemaIssues } from '../../../findings/schema-issues.ts';
import { parseJson } from '../../../json/parse.ts';
import type { JsonObject } from '../../../json/value.ts';
import { writeJson } from '../../../json/write.ts';
import { field, type LogRecord } from '../../../log/record.ts';
import { parseInstant } from '../../../time/instant.ts';
import { KeyedBatch } from '../../keyed-batch.ts';
import { invalidEvent, refuseDoubtful, requireFit, textIn } from '../../refuse-event.ts';
import { StoredPlaces } from '../../stored-places.ts';
import type { Draft, Stamps, Writing, WritingMemory } from '../../writing.ts';
import { LOG_FILE } from '../names.ts';
import { eventSchema } from '../schema/event.ts';
import { ENVELOPE_KEYS } from '../vocabulary.ts';
import { contentDoubts } from './content-doubts.ts';
import { PlanSoFar } from './plan-so-far.ts';

const SESSION = field('session_id');
const TIMESTAMP = field('timestamp');
const KEY = field('idempotencyKey');

/** Types that open a session, and may bring an id of their own. */
const OPENING = ['session_start', 'session_resumed'];

const HAS_OFFSET = /(?:Z|[+-]\d{2}(?::?\d{2})?)$/i;

/** A local time without its offset, to the microsecond, as the documents' own writer has it. */
function localTime(ms: number): string {
  const shifted = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000);
  return `${shifted.toISOString().slice(0, -1)}000`;
}

/** Whether a time is before another: never, where one of them is no time. */
function isBefore(time: string, other: string): boolean {
  const [at, otherAt] = [parseInstant(time), parseInstant(other)];
  return at !== undefined && otherAt !== undefined && at < otherAt;
}

class CoordinatorBatch extends KeyedBatch {
  readonly #stamps: Stamps;
  #sequence: number;
  #session: string | undefined;
  #time: string | undefined;
  readonly #plan: PlanSoFar;

  constructor(memory: CoordinatorMemory, stamps: Stamps) {
    super('idempotencyKey', memory.keys);
    this.#stamps = stamps;
    this.#sequence = memory.sequence;
    this.#session = memory.session;
    this.#time = memory.time;
    this.#plan = memory.plan.copy();
  }

  get sequence(): number {
    return this.#sequence;
  }

  protected draft(given: JsonObject, index: number): Draft {
    const type = textIn(given, 'event_type') ?? '';
    if (type === '' && given['event'] !== undefined)
      throw invalidEvent(index, 'the type stands under `event`; it belongs under `event_type`');
    const flat = Object.keys(given).filter(
      (key) => key !== 'idempotencyKey' && !ENVELOPE_KEYS.some((name) => name === key),
    );
    if (flat.length > 0) throw invalidEvent(index, `${flat.join(', ')} belongs into details`);
    const sequence = this.#sequence + 1;
    const fresh = OPENING.includes(type) ? this.#stamps.newId() : undefined;
    const event = {
      timestamp: given['timestamp'] ?? this.#now(),
      sequence: given['sequence'] ?? sequence,
      session_id: given['session_id'] ?? fresh ?? this.#session ?? null,
      event_type: given['event_type'] ?? null,
      agent_id: given['agent_id'] ?? null,
      task_id: given['task_id'] ?? null,
      details: given['details'] ?? {},
      ...(given['idempotencyKey'] !== undefined && { idempotencyKey: given['idempotencyKey'] }),
    };
    const text = writeJson(event);
    const plain = parseJson(text) as JsonObject;
    requireFit(index, schemaIssues(eventSchema, plain));
    if (plain['sequence'] !== sequence) throw invalidEvent(index, `the next sequence is ${sequence}`);
    this.#requireTime(plain, index);
    const doubts = [...contentDoubts(plain), ...this.#plan.doubts(plain)];
    const remarks = refuseDoubtful(this.#stamps, index, doubts);
    this.#sequence = sequence;
    this.#session = textIn(plain, 'session_id');
    this.#plan.take(plain);
    return { kind: 'new', text, remarks };
  }

  /** In the form of the event before: local times and those with an offset cannot be compared. */
  #now(): string {
    const before = this.#time;
    if (before === undefined) return new Date(this.#stamps.now).toISOString();
    const now = HAS_OFFSET.test(before)
      ? new Date(this.#stamps.now).toISOString()
      : localTime(this.#stamps.now);
    return isBefore(now, before) ? before : now;
  }

  #requireTime(event: JsonObject, index: number): void {
    const time = event['timestamp'] as string;
    const before = this.#time;
    const isSameClock = before !== undefined && HAS_OFFSET.test(time) === HAS_OFFSET.test(before);
    if (isSameClock && isBefore(time, before))
      throw invalidEvent(index, `it is stamped ${time}, before the event before it (${before})`);
    this.#time = time;
  }
}

/** What a writer of a coordinator's log remembers of it. */
class CoordinatorMemory implements WritingMemory {
  readonly keys = new StoredPlaces();
  sequence = 0;
  session: string | undefined;
  time: string | undefined;
  readonly plan = new PlanSoFar();

  take(record: LogRecord): void {
    const { sequence } = record.value;
    // Where events have no number they count all the same; a new session may begin at 1 again.
    this.sequence = typeof sequence === 'number' ? sequence : this.sequence + 1;
    this.session = record.string(SESSION) ?? this.session;
    this.time = record.string(TIMESTAMP) ?? this.time;
    this.keys.add(record.string(KEY), record);
    this.plan.take(record.value);
  }

  batch(stamps: Stamps): CoordinatorBatch {
    return new CoordinatorBatch(this, stamps);
  }
}

/** How a coordinator appends to the log of its plan (coordinator.md §1, §2). */
export const coordinatorWriting: Writing = {
  usualName: LOG_FILE,
  memory: () => new CoordinatorMemory(),
};
