import type { JsonObject } from '../json/value.ts';
import type { LogRecord } from '../log/record.ts';

/** Where events are to be written. */
export interface WritingPlace {
  /** Absolute. */
  readonly log: string;
  /** One run of a log that holds many. */
  readonly run?: string | undefined;
  /** The dialect's table of the configuration. */
  readonly settings?: JsonObject | undefined;
}

/** What a writer gives events that lack it. */
export interface Stamps {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** A UUID that nobody else has. */
  newId(): string;
  /** Why events are appended that `verify` would report; without it they are refused. */
  readonly force?: string | undefined;
}

/** Where a record stands in the log. */
export interface StoredAt {
  /** Physical line from 1. */
  readonly line: number;
  /** Offsets into the file, without the newline. */
  readonly byteStart: number;
  readonly byteEnd: number;
}

/** An event as it will be stored, or the record that is the same event already. */
export type Draft =
  | {
      readonly kind: 'new';
      /** The line, without its newline. */
      readonly text: string;
      /** What its writer should know, in whole sentences. */
      readonly remarks: readonly string[];
    }
  /** An event of the log has its key, or its id: `members` are those that must be equal in that one. */
  | { readonly kind: 'stored'; readonly at: StoredAt; readonly members?: JsonObject }
  /** An event of this batch has its key: the one of this index. */
  | { readonly kind: 'repeated'; readonly index: number };

/** Events that are written together, or not at all. */
export interface Batch {
  /** The number of the last event once the batch is written. */
  readonly sequence: number;
  /**
   * The next event as it will be stored: stamped, checked, and held against the log and the events before it. Throws
   * `event-invalid`.
   */
  add(event: JsonObject): Draft;
}

/** What one writer remembers of a log. */
export interface WritingMemory {
  /** The number by which its events are counted: that of the last one, 0 where there is none. */
  readonly sequence: number;
  /** Takes in the next record of the log. */
  take(record: LogRecord): void;
  batch(stamps: Stamps): Batch;
}

/** A file that a log's own program keeps beside it, as it must be once a batch is written. */
export interface Companion {
  readonly path: string;
  readonly text: string;
}

/** How events of a dialect are appended. */
export interface Writing {
  /** What a log is called in a folder of its own; absent where logs have no such name. */
  readonly usualName?: string;
  memory(place: WritingPlace): WritingMemory;
  /** The file whose presence closes the log for ever. */
  sealFile?(log: string): string;
  /** A file that the dialect's own program holds while it writes: it holds a process id, and nothing else. */
  pidLock?(log: string): string;
  /** What has to be written beside a log whose last event has this number. */
  companions?(log: string, sequence: number): readonly Companion[];
}
