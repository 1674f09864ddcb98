import { basename, dirname, join } from 'node:path';
import { parseJson } from '../../../base/json/parse.ts';
import { isNumber } from '../../../base/json/stored-number.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../base/json/value.ts';
import { textOf, writeJson } from '../../../base/json/write.ts';
import { field, type LogRecord } from '../../../log/record.ts';
import { KeyedBatch } from '../../kit/keyed-batch.ts';
import { stringIn } from '../../kit/members.ts';
import { invalidEvent, refuseDoubtful, withoutEmpty } from '../../kit/refuse-event.ts';
import { StoredPlaces } from '../../kit/stored-places.ts';
import type { Batch, Draft, Stamps, Writing, WritingMemory } from '../../kit/writing.ts';
import { pythonJson } from '../event/python-json.ts';
import { isOneOf, PHASES } from '../event/vocabulary.ts';
import { isEpisodeId } from '../files/folder-name.ts';
import { FINAL_FILE, LOG_FILE } from '../files/names.ts';
import { LogSoFar } from './log-so-far.ts';
import { stamped } from './stamp.ts';

const ID = field('id');
const TIMESTAMP = field('timestamp');
const EPISODE = field('episode_id');
const KEY = field('idempotencyKey');

/** The runtime's JSON reader in Python fails on deeper nesting, and on integers with more digits. */
const MAX_DEPTH = 900;
const MAX_DIGITS = 4300;

/** Why the runtime could not read an event; undefined if it could. */
function unreadable(event: JsonObject): string | undefined {
  const open: [JsonValue, number][] = [[event, 1]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [value, depth] = next;
    if (isNumber(value) && /^-?\d+$/.test(String(value)) && String(value).length > MAX_DIGITS)
      return `it has an integer of more than ${MAX_DIGITS} digits`;
    if (!Array.isArray(value) && !isObject(value)) continue;
    if (depth > MAX_DEPTH) return `it is nested deeper than ${MAX_DEPTH} levels`;
    for (const inner of Object.values(value)) open.push([inner, depth + 1]);
  }
  return undefined;
}

/** What earlier events imply for the next one. */
interface Course {
  readonly events: number;
  readonly episode: string | undefined;
  /** The time of the last event. */
  readonly time: string | undefined;
}

class NoesisBatch extends KeyedBatch {
  readonly #memory: NoesisMemory;
  readonly #stamps: Stamps;
  #course: Course;

  constructor(memory: NoesisMemory, course: Course, stamps: Stamps) {
    super('idempotencyKey', memory.keys);
    this.#memory = memory;
    this.#course = course;
    this.#stamps = stamps;
  }

  get sequence(): number {
    return this.#course.events;
  }

  protected draft(event: JsonObject, index: number): Draft {
    return this.#storedById(event) ?? this.#new(event, index);
  }

  /** The event in the log with the same id. */
  #storedById(event: JsonObject): Draft | undefined {
    const id = stringIn(event, 'id');
    const byId = id === undefined ? undefined : this.#memory.ids.find(id);
    if (byId === undefined) return undefined;
    return { kind: 'stored', at: byId, members: withoutEmpty(event, ['timestamp']) };
  }

  #new(given: JsonObject, index: number): Draft {
    const fault = unreadable(given);
    if (fault !== undefined) throw invalidEvent(index, `${fault}, which the runtime cannot read`);
    const event = stamped(given, this.#course, this.#stamps);
    const text = pythonJson(event, 'utf8');
    const plain = parseJson(text) as JsonObject;
    const doubts = refuseDoubtful(this.#stamps, index, this.#memory.log.objections(text));
    const { events, episode, time } = this.#course;
    this.#course = {
      events: events + 1,
      episode: episode ?? stringIn(plain, 'episode_id'),
      time: textOf(plain['timestamp'] ?? '') || time,
    };
    return { kind: 'new', text, remarks: [...this.#remarks(plain, index), ...doubts] };
  }

  #remarks({ phase }: JsonObject, index: number): string[] {
    if (isOneOf(PHASES, phase)) return [];
    return [`event ${index + 1} has the phase ${writeJson(phase)}, which is not known`];
  }
}

class NoesisMemory implements WritingMemory {
  readonly ids = new StoredPlaces();
  readonly keys = new StoredPlaces();
  readonly log = new LogSoFar();
  #course: Course;

  constructor(log: string) {
    const folder = basename(dirname(log));
    const episode = isEpisodeId(folder) ? folder : undefined;
    this.#course = { events: 0, episode, time: undefined };
  }

  get sequence(): number {
    return this.#course.events;
  }

  get isStale(): boolean {
    return this.log.isStale;
  }

  take(record: LogRecord): void {
    this.ids.add(record.string(ID), record);
    this.keys.add(record.string(KEY), record);
    this.log.take(record);
    const { events, episode, time } = this.#course;
    this.#course = {
      events: events + 1,
      // The episode id in the log wins over the name of the folder.
      episode: (events === 0 ? record.string(EPISODE) : undefined) ?? episode,
      time: record.string(TIMESTAMP) ?? time,
    };
  }

  batch(stamps: Stamps): Batch {
    return new NoesisBatch(this, this.#course, stamps);
  }
}

/** Appends to the log of an episode as the runtime does. */
export const noesisWriting: Writing = {
  usualName: LOG_FILE,
  memory: ({ log }) => new NoesisMemory(log),
  sealFile: (log) => join(dirname(log), FINAL_FILE),
};
