/** Why a line is not a record. */
export type CorruptionCode =
  | 'log/truncated'
  | 'log/invalid-utf8'
  | 'log/bom'
  | 'log/nul-bytes'
  | 'log/invalid-json'
  | 'log/glued-records'
  | 'log/split-record'
  | 'log/not-object'
  | 'log/non-finite'
  | 'log/too-deep'
  | 'log/too-many-values'
  | 'log/line-too-long';

/** A damaged place in a log, as plain data. */
export interface Corruption {
  readonly code: CorruptionCode;
  /** The physical line, from 1; for a record split over several lines, the first. */
  readonly line: number;
  /** UTF-16 units from 1. */
  readonly column: number;
  /** Offsets into the file, the end exclusive. A syntax error starts at the exact byte. */
  readonly byteStart: number;
  readonly byteEnd: number;
  readonly message: string;
  /** The text around the place (see json/place.ts). */
  readonly excerpt: string;
  /** `EventLogIntegrityError.corruption.lineExcerpt`: the start of the line, cut as the runtime does. */
  readonly lineExcerpt?: string;
}
