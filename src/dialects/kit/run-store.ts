/** A run in a store. */
export interface StoredRun {
  readonly id: string;
  /** The run that it is a part of. */
  readonly parent?: string | undefined;
  /** When it was last written to, in milliseconds since 1970. */
  readonly changed: number;
}

/** The text of a run: its records as JSON, without newlines. */
export interface StoredLines {
  readonly lines: readonly string[];
  /** Further lines that the checks compare with the records, by the ending of the file that gets them. */
  readonly beside?: Readonly<Record<string, readonly string[]>>;
}

/** A store of many runs, such as a database. What it gives is of one moment. */
export interface RunStore {
  /** Its runs. */
  readonly runs: readonly StoredRun[];
  /** What else it has that is not read, in words. */
  readonly unread: readonly string[];
  /** Reads a run. Throws `unreadable`. */
  read(id: string): StoredLines;
}

/** What a store is recognised by: the tables of a database with their columns, or the names in a folder. */
export type StoreMarks =
  | { readonly tables: ReadonlyMap<string, readonly string[]> }
  | { readonly names: readonly string[] };
