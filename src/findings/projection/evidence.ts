/** The event that a projected value comes from. */
export interface Evidence {
  /** Absent if the event has no id. */
  readonly eventId?: string;
  /** Physical line of the log, from 1. */
  readonly line: number;
}

export const sourceOf = (id: string | undefined, line: number): Evidence =>
  id === undefined ? { line } : { eventId: id, line };

/** Maps each part of a projection to the event it comes from. */
export class EvidenceMap {
  readonly #byPath: Map<string, Evidence>;

  constructor(byPath: Iterable<readonly [string, Evidence]> = []) {
    this.#byPath = new Map(byPath);
  }

  copy(): EvidenceMap {
    return new EvidenceMap(this.#byPath);
  }

  /** Records the event behind the value at `path` (`plan.steps[0].status`) and everything below it. */
  set(path: string, evidence: Evidence): void {
    this.#byPath.set(path, evidence);
  }

  /** Whether the value at `path` itself has an event. */
  has(path: string): boolean {
    return this.#byPath.has(path);
  }

  /** The event behind the value at `path`, or behind its nearest ancestor. */
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
