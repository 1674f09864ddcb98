import { formatPath, type JsonPath } from '../../../base/json/path.ts';
import { type Evidence, EvidenceMap } from '../../../findings/projection/evidence.ts';

/**
 * The event behind each part of a changing document. When a part is replaced, the sources of everything in it are
 * forgotten.
 */
export class SourceTree {
  #evidence: Evidence | undefined;
  readonly #parts = new Map<string | number, SourceTree>();

  /** Sets the event that replaced the value at `path`. */
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

  /** The last event that set a value at or under `path`. */
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

  /** The paths of all values that an event set and that were not replaced since. */
  pathsFrom(evidence: Evidence, path: JsonPath = []): JsonPath[] {
    if (this.#evidence === evidence) return [path];
    return [...this.#parts].flatMap(([segment, node]) => node.pathsFrom(evidence, [...path, segment]));
  }

  /** All sources, for a comparison. */
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
