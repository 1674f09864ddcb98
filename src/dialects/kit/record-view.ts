import type { JsonObject } from '../../base/json/value.ts';
import type { LogRecord } from '../../log/record.ts';
import type { Role } from './role.ts';

/**
 * How filters, lineage and tables read a record of any dialect. Undefined means that the record has no such
 * value.
 */
export interface RecordView {
  id(record: LogRecord): string | undefined;
  /** ISO 8601. */
  time(record: LogRecord): string | undefined;
  /** Matched by `--type`. */
  type(record: LogRecord): string | undefined;
  /** The current name of a type that has an older name; also matched by `--type`. */
  presentType?(record: LogRecord): string | undefined;
  /** Matched by `--phase`; absent if the dialect has no phases. */
  phase?(record: LogRecord): string | undefined;
  /** The word in the KIND column, if it is not the phase; also matched by `--phase`. */
  kind?(record: LogRecord): string | undefined;
  /** Matched by `--role`; absent if the log is not a conversation. */
  role?(record: LogRecord): Role | undefined;
  /** Matched by `--agent`. */
  agent(record: LogRecord): string | undefined;
  /** Whether the record only repeats another. */
  repeats?(record: LogRecord): boolean;
  /** The id of the record's cause; absent if the dialect has none. */
  cause?(record: LogRecord): string | undefined;
}

/** A column in the table of events for one dialect. */
export interface EventColumn {
  readonly title: string;
  /** The width; the last column gets the rest. */
  readonly width: number;
  /** The minimum terminal width that shows it. */
  readonly from?: number;
  /** The cell's text, not yet escaped. */
  readonly cell: (event: JsonObject) => string;
  /** Whether it is left out if all events have the same text in it. */
  readonly onlyIfSeveral?: true;
  /** Whether it shows the tool. For a record that only names its call, the tool comes from the call. */
  readonly isTool?: true;
}

/** An event type of a format, as matched by `--type`. */
export interface EventTypeEntry {
  readonly type: string;
  /** Its group, if the format groups types. */
  readonly group?: string;
  /** The intended writer, if the format names one. */
  readonly source?: string;
  /** Whether the published reference lists it; absent if all types are listed. */
  readonly documented?: boolean;
  /** The meaning of such an event, or when it is written. */
  readonly meaning?: string;
  /** The fields in addition to the envelope; `?` marks optional ones. */
  readonly fields?: readonly string[];
}
