import type { JsonObject } from '../../base/json/value.ts';
import type { LogRecord } from '../../log/record.ts';
import type { Row } from '../../log/row.ts';
import type { RowLayout } from '../../log/row-layout.ts';
import type { Difference } from './difference.ts';
import type { EvidenceMap } from './evidence.ts';

/** A state rebuilt from a log. */
export interface Projection {
  /** The document, in the shape of the stored one. Parts without evidence in the log are left out. */
  readonly value: Readonly<Record<string, unknown>>;
  readonly evidence: EvidenceMap;
  /** Parts that the stored document may have but this log has no evidence for. */
  readonly underivable: readonly string[];
}

/** The reasons that are about the comparison, whatever the log contains. */
export const NOT_COMPARED = {
  byNoesis: 'not compared by noesis',
  exceptIds: 'only the ids are compared',
  byVerify: 'verify compares it with start and observe',
} as const;

const ABOUT_COMPARISON: ReadonlySet<string> = new Set(Object.values(NOT_COMPARED));

/** A part of a stored document that was not compared with the log. */
export interface NotCompared {
  /** The path in the stored document. It covers everything below. */
  readonly path: string;
  readonly reason: string;
  /** The log line that explains it, such as evidence that is too old. */
  readonly line?: number;
}

/** A reason that holds for the log up to a line: what the rest of the log contains was not read. */
export const reasonUpTo = (reason: string, line: number): string =>
  ABOUT_COMPARISON.has(reason) ? reason : `${reason}, up to line ${line}`;

/**
 * The answer of `project --diff`. A member of the stored document is equal only if a path of `compared`
 * covers it and no path of `differences` or `not_compared` does. The three lists account for every member.
 */
export interface Comparison {
  /** The compared paths. Each covers everything below. */
  readonly compared: readonly string[];
  readonly differences: readonly Difference[];
  readonly not_compared: readonly NotCompared[];
  /** Parts that the stored document may have but the log has no evidence for. */
  readonly underivable: readonly string[];
}

/** Rebuilds a state from parsed events in log order. Needs no input but the events. */
export interface EventFold {
  /** Adds the event on `line`, with its numbers as stored. */
  addEvent(event: JsonObject, line: number): void;
  result(): Projection;
}

/** Rebuilds a state from the records of a log, in order. */
export interface RecordFold {
  add(record: LogRecord): void;
  /** The columns it reads. If present, `addRow` receives the records as rows. */
  readonly layout?: RowLayout;
  addRow?(row: Row): void;
  result(): Projection;
}

/** Whether nothing was compared, so nothing may be called equal. */
export const comparesNothing = ({ compared }: Comparison): boolean => compared.length === 0;

/** A fold that can compare its state with a stored one. */
export interface Projector extends RecordFold {
  /** Compares with a stored document by the rules of the dialect. Absent if the dialect stores none. */
  compare?(stored: unknown): Comparison;
}
