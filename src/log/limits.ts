/** In bytes. Longer lines are refused, so no reader has to hold them in memory. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;
