/** A longer line, in bytes, is refused: no reader should have to hold it in memory. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;
