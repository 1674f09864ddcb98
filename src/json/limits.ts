/** Deeper nesting than this is refused: a recursive reader somewhere downstream would crash on it. */
export const MAX_DEPTH = 1000;

/**
 * A text of more values is refused: each takes a place in memory many times its size in the text, and a list of empty
 * lists has a value in three bytes.
 */
export const MAX_VALUES = 2_000_000;

/** A longer document, in bytes, is refused: it is held in memory whole, more than once. As long as a line may be. */
export const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

/** Why a document of this size is not read; undefined where it is. */
export function tooLongForDocument(size: number): string | undefined {
  return size > MAX_DOCUMENT_BYTES
    ? `it has ${size} bytes; more than ${MAX_DOCUMENT_BYTES} (64 MiB) are refused`
    : undefined;
}
