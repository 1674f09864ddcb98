/** The event that a projected value comes from. */
export interface Evidence {
  /** Absent where the event has no id. */
  readonly eventId?: string;
  /** Physical line of the log, from 1. */
  readonly line: number;
}

/** The event on a line, by its id where it has one. */
export const sourceOf = (id: string | undefined, line: number): Evidence =>
  id === undefined ? { line } : { eventId: id, line };

/** Which event each part of a projection comes from. */
export class EvidenceMap {
  readonly #byPath: Map<string, Evidence>;

  constructor(byPath: Iterable<readonly [string, Evidence]> = []) {
    this.#byPath = new Map(byPath);
  }

  copy(): EvidenceMap {
    return new EvidenceMap(this.#byPath);
  }

  /** Notes where the value at `path` (`plan.steps[0].status`) and all below it comes from. */
  set(path: string, evidence: Evidence): void {
    this.#byPath.set(path, evidence);
  }

  /** Whether an event is noted for the value at `path` itself. */
  has(path: string): boolean {
    return this.#byPath.has(path);
  }

  /** The event behind the value at `path`: its own, or that of the nearest part that holds it. */
  of(path: string): Evidence | undefined {
    for (let part = path; part !== ''; part = parentOf(part)) {
      const evidence = this.#byPath.get(part);
      if (evidence) return evidence;
    }
    return undefined;
  }
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('.'), path.lastIndexOf('[')));
}
