import type { Corruption } from './corruption.ts';

/** Where and why a log is corrupt, in the terms of the Python runtime's API (docs/formats/noesis.md §3). */
export interface EventLogCorruption {
  readonly path: string;
  /** The physical line from 1, including blank lines. */
  readonly lineNumber: number;
  readonly reason: string;
  /** The stripped line, cut to 160 characters; absent if it is not text. */
  readonly lineExcerpt?: string;
}

/**
 * Thrown by every reader at the first damaged record. `corruption` has the place; `details` adds the column, the
 * bytes and the finding code.
 */
export class EventLogIntegrityError extends Error {
  override readonly name = 'EventLogIntegrityError';
  /** Explicit, because bundling shortens class names. */
  static override readonly name = 'EventLogIntegrityError';
  readonly code = 'log-corrupt';
  readonly corruption: EventLogCorruption;
  readonly details: Corruption;

  constructor(path: string, details: Corruption) {
    super(`damaged log ${path} (line ${details.line}): ${details.message}`);
    this.details = details;
    this.corruption = {
      path,
      lineNumber: details.line,
      reason: details.message,
      ...(details.lineExcerpt !== undefined && { lineExcerpt: details.lineExcerpt }),
    };
  }
}
