import { formatPath, type JsonPath } from '../../../json/path.ts';
import { type Evidence, EvidenceMap } from '../../../projection/evidence.ts';

/**
 * The event behind each part of a changing document. Unlike an {@link EvidenceMap}, it forgets everything
 * below a replaced part.
 */
export class SourceTree {
  #evidence: Evidence | undefined;
  readonly #parts = new Map<string | number, SourceTree>();

  /** Notes that the value at `path`, with all below it, was replaced by an event. */
  set(path: JsonPath, evidence: Evidence): void {
    let node: SourceTree = this;
    for (const segment of path) {
      let next = node.#parts.get(segment);
      if (next === undefined) {
        next = new SourceTree();
        node.#parts.set(segment, next);
      }
      node = next;
    }
    node.#evidence = evidence;
    node.#parts.clear();
  }

  /** The last event that set a value at `path` or below. */
  latest(path: JsonPath): Evidence | undefined {
    let node: SourceTree = this;
    for (const segment of path) {
      const next = node.#parts.get(segment);
      if (next === undefined) return undefined;
      node = next;
    }
    return node.#latest();
  }

  #latest(): Evidence | undefined {
    let latest = this.#evidence;
    for (const part of this.#parts.values()) {
      const other = part.#latest();
      if (other !== undefined && (latest === undefined || other.line > latest.line)) latest = other;
    }
    return latest;
  }

  /** All places that an event set, even if they were replaced later. */
  pathsFrom(evidence: Evidence, path: JsonPath = []): JsonPath[] {
    if (this.#evidence === evidence) return [path];
    return [...this.#parts].flatMap(([segment, node]) => node.pathsFrom(evidence, [...path, segment]));
  }

  /** All that is known, for comparisons. */
  toMap(): EvidenceMap {
    const map = new EvidenceMap();
    this.#fill(map, []);
    return map;
  }

  #fill(map: EvidenceMap, path: JsonPath): void {
    if (this.#evidence) map.set(formatPath(path), this.#evidence);
    for (const [segment, node] of this.#parts) node.#fill(map, [...path, segment]);
  }
}
