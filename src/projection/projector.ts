import type { JsonObject } from '../json/value.ts';
import type { LogRecord } from '../log/record.ts';
import type { Row } from '../log/row.ts';
import type { RowLayout } from '../log/row-layout.ts';
import type { Difference } from './difference.ts';
import type { EvidenceMap } from './evidence.ts';

/** A state rebuilt from a log. */
export interface Projection {
  /** The document, in the shape of the stored one; what the log holds no evidence for is left out. */
  readonly value: Readonly<Record<string, unknown>>;
  readonly evidence: EvidenceMap;
  /** Parts that the stored document may hold and this log has no evidence for. */
  readonly underivable: readonly string[];
}

/** A part of a stored document that was not compared with the log. */
export interface NotCompared {
  /** Where it is in the stored document, with all below it. */
  readonly path: string;
  readonly reason: string;
  /** The line of the log that explains it, such as the evidence that is too old. */
  readonly line?: number;
}

/**
 * What `project --diff` answers. A member of the stored document is equal only if it is at or below a path of
 * `compared`, and at or below no path of `differences` or `not_compared`. The three lists account for every member.
 */
export interface Comparison {
  /** What was compared: each path with all below it. */
  readonly compared: readonly string[];
  readonly differences: readonly Difference[];
  readonly not_compared: readonly NotCompared[];
  /** Parts that the stored document may hold and the log has no evidence for. */
  readonly underivable: readonly string[];
}

/** Rebuilds a state from parsed events, handed over in the order of the log: it needs nothing of the machine. */
export interface EventFold {
  /** Takes in the next event, its numbers as they are stored, which stands on `line` of the log. */
  addEvent(event: JsonObject, line: number): void;
  result(): Projection;
}

/** Rebuilds a state from the records of one log, handed over in the order of the file. */
export interface RecordFold {
  add(record: LogRecord): void;
  /** How it reads records as rows, where it does; then they are handed to `addRow`. */
  readonly layout?: RowLayout;
  addRow?(row: Row): void;
  result(): Projection;
}

/** Whether nothing was compared, so that nothing can be called equal. */
export const comparesNothing = ({ compared }: Comparison): boolean => compared.length === 0;

/** A fold that can also compare its state with a stored one. */
export interface Projector extends RecordFold {
  /** Compares with a stored document, by the rules of the dialect; absent where nothing is stored. */
  compare?(stored: unknown): Comparison;
}
