/**
 * A way through a log that accepts, without parsing, the records that there is nothing to say about. The parser puts
 * the log's bytes where the lane wants them, and looks for itself at every line that the lane does not accept.
 */
export interface FastLane {
  /** Where the bytes must stand: its last byte is kept for a newline. May be another object after any call. */
  readonly buffer: Buffer;
  /** After {@link run}: how many lines were accepted. */
  readonly accepted: number;
  /** After {@link run}: the next line is accepted too, and the visitor wants to see it; it ends before this offset. */
  readonly projectEnd: number;
  /**
   * Accepts line after line of the buffer's `[from, to)`, which ends with a newline; gives the offset of the first
   * that it does not accept, or `to`.
   */
  run(from: number, to: number, at: LanePosition): number;
  /** To be called before a record is handed to checks that may remember something of it: nothing moves then. */
  prepare(length: number): void;
}

/** Where in the log a run begins. */
export interface LanePosition {
  /** The number of the next line. */
  readonly line: number;
  /** How many records came before. */
  readonly records: number;
  /** The file's offset of the next line. */
  readonly offset: number;
}
