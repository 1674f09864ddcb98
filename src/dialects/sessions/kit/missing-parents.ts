/** A place in a log before which a record is missing: the next record names it as its parent. */
export interface Gap {
  /** The id of the missing record. */
  readonly id: string;
  /** The record came later, because the order of the lines was changed. */
  isFilled: boolean;
}

/** Finds records that a log does not have although later ones name them. */
export class MissingParents {
  readonly #ids = new Set<string>();
  readonly #gaps = new Map<string, Gap>();

  /**
   * The next record. Returns the gap before it, if its parent has not come. The first record may name one, because the log may
   * be the end of a longer one.
   */
  next(id: string | undefined, parent: string | undefined): Gap | undefined {
    const isFirst = this.#ids.size === 0;
    if (id !== undefined) {
      this.#ids.add(id);
      const filled = this.#gaps.get(id);
      if (filled) filled.isFilled = true;
    }
    if (parent === undefined || isFirst || this.#ids.has(parent)) return undefined;
    const gap = this.#gaps.get(parent) ?? { id: parent, isFilled: false };
    this.#gaps.set(parent, gap);
    return gap;
  }
}
