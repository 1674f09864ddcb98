/** Why a line of a log is no record. */
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

/** A place of a log that cannot be trusted, as plain data. */
export interface Corruption {
  readonly code: CorruptionCode;
  /** Physical line from 1; where a record is split over several lines, the first of them. */
  readonly line: number;
  /** UTF-16 units from 1. */
  readonly column: number;
  /** Offsets into the file, the end exclusive; for a syntax error the start is the very byte. */
  readonly byteStart: number;
  readonly byteEnd: number;
  /** One sentence. */
  readonly message: string;
  /** The text around the place (see json/place.ts). */
  readonly excerpt: string;
  /** What `EventLogIntegrityError.corruption.lineExcerpt` gives: the line from its start, cut as the runtime cuts it. */
  readonly lineExcerpt?: string;
}
