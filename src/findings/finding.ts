import type { FindingCode } from './codes.ts';
import type { Severity } from './severity.ts';

export type { Severity };

/**
 * A finding as plain data. Absent values are left out, never null.
 *
 * - `line` counts physical lines from 1, including blank ones.
 * - `column` counts UTF-16 units from 1.
 * - `byteStart` and `byteEnd` are offsets into `file`, the end exclusive. For a single place,
 * `byteStart` and `column` are that place.
 */
export interface Finding {
  /** A stable name, `family/what`; see `noesis explain`. */
  readonly code: FindingCode;
  readonly severity: Severity;
  /** The fault and its reason, in one sentence. It may quote trace text, which renderers escape. */
  readonly message: string;
  /** The next step, often a command. */
  readonly hint?: string;
  /** The file, relative to the episode's folder, with forward slashes. */
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  readonly byteStart?: number;
  readonly byteEnd?: number;
  readonly eventId?: string;
  /** The path in the record or document, such as `payload.steps[0]`. */
  readonly path?: string;
  readonly expected?: string;
  readonly actual?: string;
  /** The stored text around the place, with a bounded length. Not escaped; renderers escape it. */
  readonly excerpt?: string;
}
