import type { FindingCode } from './codes.ts';
import type { Severity } from './severity.ts';

export type { Severity };

/**
 * One thing that is wrong, as plain data. Absent values are left out, never null.
 *
 * - `line` counts physical lines from 1, blank ones too.
 * - `column` counts UTF-16 units from 1.
 * - `byteStart` and `byteEnd` are offsets into `file`, the end exclusive. Where one place is meant,
 *   `byteStart` and `column` are that place.
 */
export interface Finding {
  /** Stable name, `family/what`; see `noesis explain`. */
  readonly code: FindingCode;
  readonly severity: Severity;
  /** What is wrong and why, in one sentence. May quote trace text: renderers escape it. */
  readonly message: string;
  /** What to do next, often a command. */
  readonly hint?: string;
  /** The file it is in, relative to the episode's directory, with forward slashes. */
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  readonly byteStart?: number;
  readonly byteEnd?: number;
  readonly eventId?: string;
  /** Where in the record or document, as in `payload.steps[0]`. */
  readonly path?: string;
  readonly expected?: string;
  readonly actual?: string;
  /** The stored text around the place, cut to a bounded length. Exact: renderers escape it. */
  readonly excerpt?: string;
}
