import type { JsonObject } from '../../base/json/value.ts';
import type { LogRecord } from '../../log/record.ts';

/** The place where events will be written. */
export interface WritingPlace {
  /** Absolute. */
  readonly log: string;
  /** One run of a log with many. */
  readonly run?: string | undefined;
  /** The dialect's table in the configuration. */
  readonly settings?: JsonObject | undefined;
}

/** Values for events that lack them. */
export interface Stamps {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** A new UUID. */
  newId(): string;
  /** The reason for appending events that `verify` would report. Without a reason they are refused. */
  readonly force?: string | undefined;
}

/** The place of a record in the log. */
export interface StoredAt {
  /** The physical line, from 1. */
  readonly line: number;
  /** Offsets into the file, without the newline. */
  readonly byteStart: number;
  readonly byteEnd: number;
}

/** An event to store, or the existing record that it repeats. */
export type Draft =
  | {
      readonly kind: 'new';
      /** The line without its newline. */
      readonly text: string;
      /** Warnings for the caller, in whole sentences. */
      readonly remarks: readonly string[];
    }
  /** An event in the log has this key or id. The members in `members` must be equal in both. */
  | { readonly kind: 'stored'; readonly at: StoredAt; readonly members?: JsonObject }
  /** An event of this batch has its key, at this index. */
  | { readonly kind: 'repeated'; readonly index: number };

/** Events that are written all or none. */
export interface Batch {
  /** The number of the last event after the batch. */
  readonly sequence: number;
  /**
   * Drafts the next event: adds missing values, and checks it against the log and the events before it.
   * Throws `event-invalid`.
   */
  add(event: JsonObject): Draft;
}

/** A writer's view of a log. */
export interface WritingMemory {
  /** The number of the last event; 0 if there is none. */
  readonly sequence: number;
  /** Whether the log must be read again before the next batch, because an earlier batch was not written. */
  readonly isStale?: boolean;
  /** Adds the next record of the log. */
  take(record: LogRecord): void;
  batch(stamps: Stamps): Batch;
}

/** A file that the dialect's own program keeps next to the log, and its new content. */
interface Companion {
  readonly path: string;
  readonly text: string;
}

/** How to append events of a dialect. */
export interface Writing {
  /** The usual name of a log in its folder; absent if there is none. */
  readonly usualName?: string;
  memory(place: WritingPlace): WritingMemory;
  /** The file that seals the log by its existence. */
  sealFile?(log: string): string;
  /** The lock file of the dialect's own program, which contains only a process id. */
  pidLock?(log: string): string;
  /** The files to write next to a log whose last event has this number. */
  companions?(log: string, sequence: number): readonly Companion[];
}
