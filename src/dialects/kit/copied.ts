/** What a log has from another session: a fork begins with copies of records. They count in the session of their origin. */
export interface Copied {
  /** The id of the session from which they were copied, if the log says it. */
  readonly from?: string | undefined;
  readonly turns: number;
  readonly calls: number;
  /** The lines of the first and the last copied record. */
  readonly lines: readonly [first: number, last: number];
}

/** Whose times copied records have: those of the original records, or that of the copying, which says nothing about them. */
export type TimesOfCopy = 'original' | 'copying';
