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

/** What `project --diff` answers. */
export interface Comparison {
  readonly differences: readonly Difference[];
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

/** Whether a comparison left out all that the log gives, and so says nothing about the stored document. */
export const comparesNothing = ({ value }: Projection, { underivable }: Comparison): boolean => {
  const parts = Object.keys(value);
  return parts.length > 0 && parts.every((part) => underivable.includes(part));
};

/** The same for whoever looks at the state. */
export interface Projector extends RecordFold {
  /** Compares with a stored document, by the rules of the dialect; absent where nothing is stored. */
  compare?(stored: unknown): Comparison;
}
