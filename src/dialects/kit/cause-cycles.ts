/** Events and causes as numbers; -1 for an unknown cause. */
interface CauseGraph {
  parentOf(child: number): number;
}

interface Cycle {
  readonly members: number[];
  reported: boolean;
}

/** Finds cycles of causes. */
export class CauseCycles {
  readonly #explored = new Set<number>();
  readonly #cycleOf = new Map<number, Cycle>();

  readonly #graph: CauseGraph;

  constructor(graph: CauseGraph) {
    this.#graph = graph;
  }

  /**
   * Returns the cycle that contains an event, or `reported` if an earlier call returned it. All calls
   * together visit each event once.
   */
  cycleThrough(child: number): readonly number[] | 'reported' | undefined {
    this.#explore(child);
    const cycle = this.#cycleOf.get(child);
    if (cycle === undefined) return undefined;
    if (cycle.reported) return 'reported';
    cycle.reported = true;
    return cycle.members;
  }

  #explore(child: number): void {
    const path: number[] = [];
    let at = child;
    while (at >= 0 && !this.#explored.has(at)) {
      this.#explored.add(at);
      path.push(at);
      at = this.#graph.parentOf(at);
    }
    const from = path.indexOf(at);
    if (from === -1) return;
    const cycle = { members: path.slice(from), reported: false };
    for (const member of cycle.members) this.#cycleOf.set(member, cycle);
  }
}
