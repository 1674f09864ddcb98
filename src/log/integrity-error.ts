import type { Corruption } from './corruption.ts';

/** Where and why a log cannot be trusted, in the words of the Python runtime's API (docs/formats/noesis.md §3). */
export interface EventLogCorruption {
  readonly path: string;
  /** Physical line from 1, blank lines counted. */
  readonly lineNumber: number;
  readonly reason: string;
  /** The stripped line, cut to 160 characters; absent where it is not text. */
  readonly lineExcerpt?: string;
}

/**
 * Thrown by every reader at the first record that is not whole: reads fail closed.
 * `corruption` names the place; `details` has its column, bytes and finding code as well.
 */
export class EventLogIntegrityError extends Error {
  override readonly name = 'EventLogIntegrityError';
  /** Survives the bundling, which shortens names. */
  static override readonly name = 'EventLogIntegrityError';
  readonly code = 'log-corrupt';
  readonly corruption: EventLogCorruption;
  readonly details: Corruption;

  constructor(path: string, details: Corruption) {
    super(`corrupted log ${path} (line ${details.line}): ${details.message}`);
    this.details = details;
    this.corruption = {
      path,
      lineNumber: details.line,
      reason: details.message,
      ...(details.lineExcerpt !== undefined && { lineExcerpt: details.lineExcerpt }),
    };
  }
}
