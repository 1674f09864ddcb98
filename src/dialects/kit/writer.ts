import { parseJson } from '../../base/json/parse.ts';
import type { JsonObject } from '../../base/json/value.ts';
import { writeJson } from '../../base/json/write.ts';
import { field, type LogRecord } from '../../log/record.ts';
import { KeyedBatch } from './keyed-batch.ts';
import { refuseDoubtful, withoutEmpty } from './refuse-event.ts';
import { StoredPlaces } from './stored-places.ts';
import type { Draft, Stamps, WritingMemory } from './writing.ts';

/** The format-specific part of a writer: the state of the log, and what it allows next. */
export interface LogWriter {
  /** The number of the last event; 0 if there is none. */
  readonly sequence: number;
  /** Adds the next event of the log, which is on `line`. */
  take(event: JsonObject, line: number): void;
  /** A copy for a batch, which may be discarded. */
  copy(): LogWriter;
  /** An event in the form in which it is stored. Throws `event-invalid`. */
  complete(given: JsonObject, stamps: Stamps, index: number): JsonObject;
  /** Throws `event-invalid` for a completed event that does not fit. Returns remarks on one that does. */
  check(event: JsonObject, index: number): readonly string[];
  /** The findings that `verify` would report about it. */
  doubts(event: JsonObject): readonly string[];
}

class WriterBatch extends KeyedBatch {
  readonly #writer: LogWriter;
  readonly #stamps: Stamps;
  readonly #optional: readonly string[] | undefined;

  constructor(key: KeyOfEvents, stored: StoredPlaces, writer: LogWriter, stamps: Stamps) {
    super(key.name, stored);
    this.#writer = writer;
    this.#stamps = stamps;
    this.#optional = key.optional;
  }

  get sequence(): number {
    return this.#writer.sequence;
  }

  protected override known(event: JsonObject, key: string, index: number): Draft | undefined {
    const known = super.known(event, key, index);
    const mustBeEqual = known?.kind === 'stored' && this.#optional !== undefined;
    return mustBeEqual ? { ...known, members: withoutEmpty(event, this.#optional) } : known;
  }

  protected draft(given: JsonObject, index: number): Draft {
    const text = writeJson(this.#writer.complete(given, this.#stamps, index));
    const event = parseJson(text) as JsonObject;
    const remarks = this.#writer.check(event, index);
    const doubts = refuseDoubtful(this.#stamps, index, this.#writer.doubts(event));
    this.#writer.take(event, this.#writer.sequence + 1);
    return { kind: 'new', text, remarks: [...remarks, ...doubts] };
  }
}

/** The member that identifies an event. An event whose key is in the log is not appended again. */
interface KeyOfEvents {
  readonly name: string;
  /** An event with the same key must be equal, except for these members if they are null. */
  readonly optional?: readonly string[];
}

/** Keeps the keys of the events in a log, for `append`. */
export function keyedMemory(key: KeyOfEvents, writer: LogWriter): WritingMemory {
  const stored = new StoredPlaces();
  const column = field(key.name);
  return {
    get sequence() {
      return writer.sequence;
    },
    take(record: LogRecord): void {
      stored.add(record.string(column), record);
      writer.take(record.value, record.line);
    },
    batch: (stamps) => new WriterBatch(key, stored, writer.copy(), stamps),
  };
}
