/**
 * Recognises records that a program wrote again: of the same id, time and type. A different record with a known id is not
 * one of them.
 */
export class SeenRecords {
  readonly #seen = new Map<string, string>();

  /** Whether the record came before. Adds it if not. */
  isAgain(id: string | undefined, time: string | undefined, type: string | undefined): boolean {
    if (id === undefined) return false;
    const said = `${time} ${type}`;
    const before = this.#seen.get(id);
    if (before === undefined) this.#seen.set(id, said);
    return before === said;
  }
}
