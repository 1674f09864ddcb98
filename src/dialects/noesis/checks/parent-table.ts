interface Cycle {
  readonly members: number[];
  told: boolean;
}

/** Who caused whom, by ordinal: four bytes an event. */
export class ParentTable {
  #parents = new Int32Array(1024).fill(-1);
  readonly #explored = new Set<number>();
  readonly #cycleOf = new Map<number, Cycle>();

  /** Notes the parent of an event; -1 for none that is known. */
  set(child: number, parent: number): void {
    if (child >= this.#parents.length) {
      const grown = new Int32Array(Math.max(child + 1, this.#parents.length * 2)).fill(-1);
      grown.set(this.#parents);
      this.#parents = grown;
    }
    this.#parents[child] = parent;
  }

  /**
   * The circle of causes that an event is part of: its members; `told` when this circle was given before; undefined
   * when there is none. Over all calls no event is gone through twice.
   */
  cycleThrough(child: number): readonly number[] | 'told' | undefined {
    this.#explore(child);
    const cycle = this.#cycleOf.get(child);
    if (cycle === undefined) return undefined;
    if (cycle.told) return 'told';
    cycle.told = true;
    return cycle.members;
  }

  #explore(child: number): void {
    const path: number[] = [];
    let at = child;
    while (at >= 0 && !this.#explored.has(at)) {
      this.#explored.add(at);
      path.push(at);
      at = this.#parents[at] ?? -1;
    }
    const from = path.indexOf(at);
    if (from === -1) return;
    const cycle = { members: path.slice(from), told: false };
    for (const member of cycle.members) this.#cycleOf.set(member, cycle);
  }
}
