/**
 * Recognises records that a program wrote again: of the same id and time. A different record with a known id is not one of
 * them.
 */
export class SeenRecords {
  /** The time of the first record of each id. */
  readonly #times = new Map<string, string | undefined>();

  /** Whether the record came before. Adds it if not. */
  isAgain(id: string | undefined, time: string | undefined): boolean {
    if (id === undefined) return false;
    const before = this.#times.get(id);
    if (before !== undefined) return before === time;
    if (time === undefined && this.#times.has(id)) return true;
    this.#times.set(id, time);
    return false;
  }
}
