/** Deeper nesting is refused, because recursive readers elsewhere would crash on it. */
export const MAX_DEPTH = 1000;

/**
 * Texts with more values are refused: a value takes far more memory than its text. A list of empty lists has
 * one value in three bytes.
 */
export const MAX_VALUES = 2_000_000;

/**
 * In bytes, the same limit as for a line. Longer documents are refused, because several copies are in memory
 * at once.
 */
export const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

/** Why a document of this size is not read; undefined if it is. */
export function tooLongForDocument(size: number): string | undefined {
  return size > MAX_DOCUMENT_BYTES
    ? `it has ${size} bytes; more than ${MAX_DOCUMENT_BYTES} (64 MiB) are refused`
    : undefined;
}
